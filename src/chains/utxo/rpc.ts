import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { isRecord } from '../../platform/is-record.ts';
import { splitEndpointUrl } from '../rpc/endpoint-url.ts';
import { createJsonPoster, parseJson } from '../rpc/post-json.ts';
import { type RpcCall, RpcError, type RpcReply, type RpcResponse } from '../rpc/rpc-call.ts';

/** The JSON-RPC error codes of bitcoind (`rpc/protocol.h`) that are handled here. */
export const RPC_CODES = {
  /** RPC_INVALID_ADDRESS_OR_KEY: an unknown block or transaction id. */
  notFound: -5,
  /** RPC_INVALID_PARAMETER: a height above the tip. */
  invalidParameter: -8,
  /** RPC_IN_WARMUP: the node is starting. */
  inWarmup: -28,
} as const;

/** The RPC calls a watcher needs. The fake node of the tests implements it too. */
export interface UtxoRpc {
  /**
   * Throws `RpcError` on an error response, `RetryableError` on a missing or unusable response, and
   * `TerminalError` when the node rejects the credentials.
   */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Replies in the order of the calls. Long lists are split into batches sent in sequence. */
  batch(calls: readonly RpcCall[]): Promise<RpcReply[]>;
}

export interface BitcoindRpc extends UtxoRpc {
  /** Scheme and host of the node's URL, for messages: keys may be in user, path or query. */
  readonly safeUrl: string;
  close(): Promise<void>;
}

const RPC_TIMEOUT_MS = 60_000;
const URL_FORM = 'the node URL must have a form such as http://user:password@127.0.0.1:9332';
export const RPC_BATCH_CALLS = 100;
/** Maximum response size. A batch of the largest blocks in hex is about 40 MB. */
const RPC_RESPONSE_BYTES = 512 * 1024 * 1024;

/**
 * JSON-RPC 1.0 client over HTTP with basic authentication, for bitcoind and its forks. User and
 * password come from the URL (percent-encoded if needed). Neither they nor its path, where hosted
 * nodes have the API key, appear in messages.
 */
export function createBitcoindRpc(options: { readonly url: string; readonly timeoutMs?: number }): BitcoindRpc {
  const endpoint = splitEndpointUrl(options.url, URL_FORM);
  const { safeUrl, redact } = endpoint;
  const timeoutMs = options.timeoutMs ?? RPC_TIMEOUT_MS;
  const poster = createJsonPoster(endpoint, { maxBytes: RPC_RESPONSE_BYTES });
  let lastId = 0;

  async function ask(calls: readonly RpcCall[]): Promise<RpcReply[]> {
    const requests = calls.map((call) => {
      lastId += 1;
      return { jsonrpc: '1.0', id: lastId, method: call.method, params: call.params };
    });
    const single = requests.length === 1;
    const { status, text } = await poster.post(single ? requests[0] : requests, timeoutMs);
    if (status === 401 || status === 403) {
      throw new TerminalError(
        'NODE_REFUSED_CREDENTIALS',
        `${safeUrl} returned ${status}: check the user and password in the node's RPC URL, and the node's rpcallowip and rpcwhitelist`,
      );
    }
    const parsed = parseJson(text);
    const responses = Array.isArray(parsed) ? parsed : [parsed];
    const byId = new Map<unknown, RpcResponse>();
    for (const response of responses) if (isResponse(response)) byId.set(response.id, response);
    return requests.map((request) => {
      // If the node rejects the whole request, it sends one response with a null id.
      const response = byId.get(request.id) ?? byId.get(null);
      if (response === undefined) {
        throw new RetryableError('NODE_RESPONSE_UNUSABLE', `${safeUrl} returned HTTP ${status}: ${excerptOf(text)}`);
      }
      return replyOf(request.method, response);
    });
  }

  function replyOf(method: string, response: RpcResponse): RpcReply {
    const error = response.error;
    if (error === null || error === undefined) return { ok: true, result: response.result };
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const shown = redact(String(message));
    if (code === RPC_CODES.inWarmup) {
      throw new RetryableError('NODE_WARMING_UP', `${safeUrl} is starting: ${shown}`);
    }
    return { ok: false, error: new RpcError(method, typeof code === 'number' ? code : 0, shown) };
  }

  async function batch(calls: readonly RpcCall[]): Promise<RpcReply[]> {
    const replies: RpcReply[] = [];
    for (let start = 0; start < calls.length; start += RPC_BATCH_CALLS) {
      replies.push(...(await ask(calls.slice(start, start + RPC_BATCH_CALLS))));
    }
    return replies;
  }

  return {
    safeUrl,
    batch,
    call: async (method, params = []) => {
      const [reply] = await ask([{ method, params }]);
      if (reply === undefined) throw new RetryableError('NODE_RESPONSE_UNUSABLE', `${safeUrl} sent no response`);
      if (!reply.ok) throw reply.error;
      return reply.result;
    },
    close: () => poster.close(),
  };
}

// Helpers

/** A body of words, as bitcoind writes; error pages may repeat the request path, with its key. */
function excerptOf(body: string): string {
  const words = body.trim();
  return /^[A-Za-z ]{1,80}$/.test(words) ? words : `${Buffer.byteLength(body)} bytes that are not JSON-RPC`;
}

function isResponse(value: unknown): value is RpcResponse {
  return isRecord(value) && 'id' in value && ('result' in value || 'error' in value);
}
