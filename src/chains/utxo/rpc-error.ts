/** JSON-RPC error codes of the bitcoind family (`rpc/protocol.h`) that mean something here. */
export const RPC_CODES = {
  /** An id the node does not know; in `rpc/protocol.h` RPC_INVALID_ADDRESS_OR_KEY. */
  notFound: -5,
  /** A height above the tip; RPC_INVALID_PARAMETER. */
  invalidParameter: -8,
  /** Not ready to answer yet; RPC_IN_WARMUP. */
  inWarmup: -28,
} as const;

/** The node understood the call and answered with an error. */
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
