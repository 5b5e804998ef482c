import * as simulated from './simulated/network.ts';

export type { TokenTable } from './evm/built-in-tokens.ts';
export { tokenTable } from './evm/built-in-tokens.ts';
export type { EvmChainParams } from './evm/evm-params.ts';
export { evmChain } from './evm/evm-params.ts';
export type { ConnectedEvmNode } from './evm/node/create-evm-node.ts';
export { createEvmNode } from './evm/node/create-evm-node.ts';
export { createEvmWatcher } from './evm/watcher.ts';
export type { FetchFees, TransferFees } from './fees.ts';
export { createEvmFees, createUtxoFees } from './fees.ts';
export { createZmqHint } from './hints/zmq-hint.ts';
export { createEvmHistory } from './history/evm-history.ts';
export type { AddressHistory, RequestedAddress } from './history/port.ts';
export { createUtxoHistory, SCAN_TIMEOUT_MS } from './history/utxo-history.ts';
export { createMutex } from './mutex.ts';
export type { WatchObserver } from './observer.ts';
export { observedSink } from './observer.ts';
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
export type { UtxoChainParams } from './utxo/chain-params.ts';
export { utxoChain } from './utxo/chain-params.ts';
export type { DescribedBlock } from './utxo/describe-block.ts';
export { describeBlock } from './utxo/describe-block.ts';
export type { InspectedNode } from './utxo/inspect-node.ts';
export { inspectUtxoNode } from './utxo/inspect-node.ts';
export { UnreadableDataError } from './utxo/raw-reader.ts';
export type { BitcoindRpc } from './utxo/rpc.ts';
export { createBitcoindRpc } from './utxo/rpc.ts';
export { createUtxoWatcher } from './utxo/watcher.ts';
export { createWatchLoop, UTXO_POLL_MS } from './watch-loop.ts';
export { createWatchedScripts } from './watched-scripts.ts';
export { simulated };
