/** The JSON-RPC error codes of bitcoind (`rpc/protocol.h`) that are handled here. */
export const RPC_CODES = {
  /** RPC_INVALID_ADDRESS_OR_KEY: an unknown block or transaction id. */
  notFound: -5,
  /** RPC_INVALID_PARAMETER: a height above the tip. */
  invalidParameter: -8,
  /** RPC_IN_WARMUP: the node is starting. */
  inWarmup: -28,
} as const;
