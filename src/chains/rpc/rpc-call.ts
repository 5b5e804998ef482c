export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

/** One JSON-RPC response; nodes omit the id when they cannot parse the request. */
export interface RpcResponse {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An error response of the node to a valid call. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly method: string;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.method = method;
    this.code = code;
  }
}
