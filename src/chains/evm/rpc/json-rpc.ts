import { RetryableError, TerminalError } from '../../../platform/errors.ts';
import { isRecord } from '../../../platform/is-record.ts';
import { splitEndpointUrl } from '../../rpc/endpoint-url.ts';
import { CONNECTIONS, createJsonPoster, parseJson } from '../../rpc/post-json.ts';
import { type RpcCall, RpcError, type RpcReply, type RpcResponse } from '../../rpc/rpc-call.ts';
import { type HttpResponse, isFault, isRejectedBatch, isResponse } from './read-response.ts';

/**
 * JSON-RPC 2.0 over HTTP to one endpoint. viem's transport is not used: it stops its timeout when
 * the headers have arrived, drops the HTTP status when the body contains an error, and puts the
 * URL, which may contain an API key, into messages.
 */
export interface EvmRpc {
  /** Scheme and host of the endpoint, for messages and logs. */
  readonly safeUrl: string;
  /** Returns the result. Throws `RpcError` when the node returns an error, otherwise as `batch`. */
  call(method: string, params: readonly unknown[], limits?: RequestLimits): Promise<unknown>;
  /**
   * Returns replies in the order of the calls. Long lists are split and sent one part after
   * another. Throws `RetryableError` `NODE_UNREACHABLE` or `NODE_RESPONSE_UNUSABLE`, and
   * `TerminalError` `NODE_REFUSED_CREDENTIALS`.
   */
  batch(calls: readonly RpcCall[], limits?: RequestLimits): Promise<RpcReply[]>;
  close(): Promise<void>;
}

export interface RequestLimits {
  readonly timeoutMs?: number;
  readonly callsPerRequest?: number;
}

const EVM_RPC_TIMEOUT_MS = 30_000;
export const EVM_BATCH_CALLS = 50;
/** Ten full blocks with all transactions are about 20 MB; the traces of one block may be more. */
const RESPONSE_BYTES = 256 * 1024 * 1024;
const DEFAULT_RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_SECONDS = 300;
const MESSAGE_CHARACTERS = 300;
const URL_FORM = 'the URL of an Ethereum node must have a form such as https://host/path or http://127.0.0.1:8545';

/** Throws `TerminalError` `NODE_URL_INVALID`. User and password are taken from the URL. */
export function createEvmRpc(options: { readonly url: string; readonly timeoutMs?: number | undefined }): EvmRpc {
  const endpoint = splitEndpointUrl(options.url, URL_FORM);
  const { safeUrl, redact } = endpoint;
  const defaultTimeoutMs = options.timeoutMs ?? EVM_RPC_TIMEOUT_MS;
  const poster = createJsonPoster(endpoint, { maxBytes: RESPONSE_BYTES });
  let lastId = 0;
  /** Some providers reject batches, or long ones. After one rejection calls are sent singly. */
  let takesBatches = true;

  async function post(body: unknown, timeoutMs: number): Promise<HttpResponse> {
    const { status, text, retryAfter } = await poster.post(body, timeoutMs);
    return { status, json: parseJson(text), bytes: text.length, retryAfter };
  }

  /** Throws for errors of the whole HTTP request. */
  function rejectFailures({ status, retryAfter }: HttpResponse): void {
    if (status === 401 || status === 403) {
      throw new TerminalError(
        'NODE_REFUSED_CREDENTIALS',
        `${safeUrl} returned ${status}: check the API key, or user and password, in the node's URL`,
      );
    }
    if (status === 429) {
      const seconds = Number.isFinite(retryAfter) ? Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS) : 0;
      throw new RetryableError('NODE_UNREACHABLE', `${safeUrl} rate limited us (429)`, {
        retryAfterMs: Math.max(DEFAULT_RETRY_AFTER_MS, seconds * 1000),
      });
    }
  }

  function unreadable({ status, bytes }: HttpResponse): RetryableError {
    // Never quote the body: error pages repeat the request path, which may contain the API key.
    const [code, what] =
      status >= 500 ? ['NODE_UNREACHABLE', 'not a response'] : ['NODE_RESPONSE_UNUSABLE', 'not JSON-RPC'];
    return new RetryableError(code, `${safeUrl} returned HTTP ${status} with ${bytes} bytes that are ${what}`);
  }

  function toRequest(call: RpcCall): Request {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method: call.method, params: call.params };
  }

  function replyOf(method: string, response: RpcResponse): RpcReply {
    if (response.error === undefined || response.error === null) return { ok: true, result: response.result };
    const { code, message } = isRecord(response.error) ? response.error : { code: 0, message: response.error };
    const shown = redact(String(message)).slice(0, MESSAGE_CHARACTERS);
    return { ok: false, error: new RpcError(method, typeof code === 'number' ? code : 0, shown) };
  }

  async function fetchOne(call: RpcCall, timeoutMs: number): Promise<RpcReply> {
    const request = toRequest(call);
    const http = await post(request, timeoutMs);
    rejectFailures(http);
    // A node that cannot parse the request responds without its id.
    const response = isResponse(http.json) && (http.json.id === request.id || isFault(http.json)) ? http.json : null;
    if (response !== null) return replyOf(call.method, response);
    if (http.status === 413) return { ok: false, error: new RpcError(call.method, 413, 'the response is too large') };
    throw unreadable(http);
  }

  /** Null when the node rejects batches. */
  async function fetchBatch(calls: readonly RpcCall[], timeoutMs: number): Promise<RpcReply[] | null> {
    const requests = calls.map(toRequest);
    const http = await post(requests, timeoutMs);
    rejectFailures(http);
    if (!Array.isArray(http.json)) {
      if (!isRejectedBatch(http)) throw unreadable(http);
      return null;
    }
    const byId = new Map<unknown, RpcResponse>();
    for (const response of http.json) if (isResponse(response)) byId.set(response.id, response);
    const [only] = http.json;
    if (byId.size === 0 || (http.json.length === 1 && requests.length > 1 && isFault(only))) return null;
    return requests.map((request) => {
      const response = byId.get(request.id);
      if (response === undefined) throw unreadable(http);
      return replyOf(request.method, response);
    });
  }

  /** Sends calls singly, up to `CONNECTIONS` at a time. */
  async function fetchSingly(calls: readonly RpcCall[], timeoutMs: number): Promise<RpcReply[]> {
    const replies: RpcReply[] = [];
    for (let start = 0; start < calls.length; start += CONNECTIONS) {
      const part = calls.slice(start, start + CONNECTIONS);
      replies.push(...(await Promise.all(part.map((call) => fetchOne(call, timeoutMs)))));
    }
    return replies;
  }

  async function fetchPart(calls: readonly RpcCall[], timeoutMs: number): Promise<RpcReply[]> {
    if (calls.length === 1 || !takesBatches) return fetchSingly(calls, timeoutMs);
    const together = await fetchBatch(calls, timeoutMs);
    if (together !== null) return together;
    const replies = await fetchSingly(calls, timeoutMs);
    takesBatches = false;
    return replies;
  }

  async function batch(calls: readonly RpcCall[], limits: RequestLimits = {}): Promise<RpcReply[]> {
    const size = limits.callsPerRequest ?? EVM_BATCH_CALLS;
    const replies: RpcReply[] = [];
    for (let start = 0; start < calls.length; start += size) {
      replies.push(...(await fetchPart(calls.slice(start, start + size), limits.timeoutMs ?? defaultTimeoutMs)));
    }
    return replies;
  }

  return {
    safeUrl,
    batch,
    async call(method, params, limits = {}) {
      const reply = await fetchOne({ method, params }, limits.timeoutMs ?? defaultTimeoutMs);
      if (!reply.ok) throw reply.error;
      return reply.result;
    },
    close: () => poster.close(),
  };
}

// Helpers

interface Request extends RpcCall {
  readonly jsonrpc: '2.0';
  readonly id: number;
}
