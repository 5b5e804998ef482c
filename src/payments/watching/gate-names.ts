import { type RawBuilder, sql } from 'kysely';
import { isSimulated, isSimulatedIn } from '../../wallets/index.ts';

/**
 * The watermark (gate) that a transaction's timers wait for. A real network has one for all. A
 * simulated transaction has its own chain and clock: its heights have a watermark named after it,
 * and its time needs none, because a simulation is always watched.
 */
export function heightGate(network: string, transactionId: string): string {
  return isSimulated(network) ? simulatedGate(transactionId) : network;
}

/** The height gate of a chain simulated for one transaction. */
export function simulatedGate(transactionId: string): string {
  return `simulated/${transactionId}`;
}

/** `heightGate` in SQL, for a table with the columns `id` and `network` of the transaction. */
export function heightGateOf(table: string): RawBuilder<string> {
  const [id, network] = [sql.ref(`${table}.id`), sql.ref(`${table}.network`)];
  return sql`case when ${isSimulatedIn(`${table}.network`)} then 'simulated/' || ${id} else ${network} end`;
}

/** The gate of time timers; null when only the clock decides. */
export function timeGate(network: string): string | null {
  return isSimulated(network) ? null : network;
}
