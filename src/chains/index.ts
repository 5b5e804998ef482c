import * as simulated from './simulated/network.ts';

export { type TokenTable, tokenTable } from './evm/built-in-tokens.ts';
export { type EvmChainParams, evmChain } from './evm/evm-params.ts';
export { type ConnectedEvmNode, createEvmNode } from './evm/node/create-evm-node.ts';
export { createEvmWatcher } from './evm/watcher.ts';
export { createEvmFees, createUtxoFees, type FetchFees, type TransferFees } from './fees.ts';
export { createZmqHint } from './hints/zmq-hint.ts';
export { createEvmHistory } from './history/evm-history.ts';
export type { AddressHistory, RequestedAddress } from './history/port.ts';
export { createUtxoHistory, SCAN_TIMEOUT_MS } from './history/utxo-history.ts';
export type {
  Account,
  AccountChange,
  AccountReader,
  BalanceDrop,
  BalanceDropSink,
  Cursor,
  DueAccount,
  Observation,
  ObservationSink,
  OpenAccount,
  OutputStatus,
  Progress,
  RecordedOutput,
  ReorgedOutput,
  ReportOptions,
  RescanRange,
  RescanResult,
  ScannedBlock,
  TrackedOutput,
  VerifyRequest,
  Watcher,
  WatcherStatus,
  WatcherStore,
  WatchSet,
} from './port.ts';
export { type RpcCall, RpcError, type RpcReply } from './rpc/rpc-call.ts';
export type { SimulatedChain } from './simulated/network.ts';
export { UnreadableOutputsError } from './unreadable-outputs.ts';
export { type UtxoChainParams, utxoChain } from './utxo/chain-params.ts';
export { type DescribedBlock, describeBlock } from './utxo/describe-block.ts';
export { type InspectedNode, inspectUtxoNode } from './utxo/inspect-node.ts';
export { UnreadableDataError } from './utxo/raw-reader.ts';
export { type BitcoindRpc, createBitcoindRpc } from './utxo/rpc.ts';
export { createUtxoWatcher } from './utxo/watcher.ts';
export { createWatchLoop, observedSink, UTXO_POLL_MS, type WatchObserver } from './watch-loop.ts';
export { createWatchedScripts } from './watched-scripts.ts';
export { simulated };
