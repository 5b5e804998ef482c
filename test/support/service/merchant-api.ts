/** A merchant's program: calls the API over HTTP with one key. */
export interface MerchantApi {
  call<T>(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: T }>;
  /** Returns the `data` of the response. Throws with the response text for any other status. */
  expect<T>(status: number, method: string, path: string, body?: unknown): Promise<T>;
}

/** `baseUrl` is called for every request, because a restarted service has a new URL. */
export function createMerchantApi(baseUrl: () => string, key: string): MerchantApi {
  async function call<T>(method: string, path: string, body?: unknown) {
    const response = await fetch(`${baseUrl()}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }
  return {
    call,
    async expect<T>(status: number, method: string, path: string, body?: unknown) {
      const answer = await call<{ data: T }>(method, path, body);
      if (answer.status === status) return answer.body.data;
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
  };
}
