import { type RawBuilder, sql } from 'kysely';
import { parseNetworkName } from '../wallets/index.ts';

/**
 * Which watermark a transaction's timers wait for. A real network has one for everybody. A simulated transaction has a
 * chain and a clock of its own: its heights have a watermark named after it, and as a simulation is never
 * blind, its time needs none.
 */
export function heightGate(network: string, transactionId: string): string {
  return isSimulated(network) ? simulatedGate(transactionId) : network;
}

/** The gate of the heights of a chain that is simulated for one transaction alone. */
export function simulatedGate(transactionId: string): string {
  return `simulated/${transactionId}`;
}

/** `heightGate` in SQL, of a row with the columns `id` and `network` of its transaction. */
export function heightGateOf(table: string): RawBuilder<string> {
  const [id, network] = [sql.ref(`${table}.id`), sql.ref(`${table}.network`)];
  return sql`case when ${network} like 'simulated-%' then 'simulated/' || ${id} else ${network} end`;
}

/** The gate of time timers; null when the clock alone decides. */
export function timeGate(network: string): string | null {
  return isSimulated(network) ? null : network;
}

export function isSimulated(network: string): boolean {
  return parseNetworkName(network).simulated;
}
