import * as simulated from './simulated/network.ts';

export type { EvmChainParams } from './evm/evm-params.ts';
export { evmChain } from './evm/evm-params.ts';
export type { WatcherLog } from './log.ts';
export type {
  Account,
  AccountBook,
  BalanceDrop,
  BalanceDropSink,
  Cursor,
  ExpectedBalance,
  Observation,
  ObservationSink,
  OpenAccount,
  Progress,
  RescanRange,
  RescanResult,
  ScannedBlock,
  Standing,
  TrackedOutput,
  VerifyRequest,
  Watcher,
  WatcherStatus,
  WatcherStore,
  WatchSet,
} from './port.ts';
export type { SimulatedChain } from './simulated/network.ts';
export type { UtxoChainParams } from './utxo/chain-params.ts';
export { UTXO_CHAINS, utxoChain } from './utxo/chain-params.ts';
export type { BitcoindRpc, RpcCall, RpcReply, UtxoRpc } from './utxo/rpc.ts';
export { createBitcoindRpc } from './utxo/rpc.ts';
export { RpcError } from './utxo/rpc-error.ts';
export type { UtxoWatcherDeps } from './utxo/watcher.ts';
export { createUtxoWatcher } from './utxo/watcher.ts';
export type { WatchLoop, WatchLoopDeps, WatchLoopStatus } from './watch-loop.ts';
export { createWatchLoop, UTXO_POLL_MS } from './watch-loop.ts';
export { simulated };
