import { type Kysely, sql } from 'kysely';
import { ASSETS, type ChainFamily, type Presence } from '../../../machines/index.ts';
import type { Account, Observation, OutputStatus } from '../../chains/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { readOutputLimits } from './outputs-per-payment.ts';

/** Where coins at an address belong. */
export type Destination =
  | ({ readonly kind: 'actor' } & Assignment)
  | {
      readonly kind: 'unassigned';
      readonly reason: UnassignedReason;
      readonly address: string;
      /** The payment that the address was assigned to; null when it was free. */
      readonly transactionId: string | null;
    };

export type UnassignedReason =
  | 'unassigned_address'
  | 'before_payment'
  | 'monitoring_ended'
  | 'other_asset'
  | 'too_many_outputs';

interface Assignment {
  readonly transactionId: string;
  /** The output was recorded as one too many, and there is room for it now. */
  readonly wasRejected?: true;
}

/** An observation, and the payment it belongs to. */
export interface AssignedObservation extends Assignment {
  readonly observation: Observation;
}

/** An output at the address of a payment, whether the payment accepts it or not. */
export interface PaymentOutput {
  readonly transactionId: string;
  readonly outputId: string;
  readonly amountBaseUnits: bigint;
  readonly presence: Presence;
}

/**
 * Coins of a payment may be in a block below the last one scanned before it was created, if a
 * reorganisation replaces that one. None was ever this deep.
 */
export const DEEPEST_REORG: Readonly<Record<ChainFamily, number>> = { utxo: 12, evm: 100 };

/**
 * The destination of each observation, in order. Coins go to the actor of their address if they are
 * of its asset and it still waits. Coins in a block from before the address was assigned are of an
 * earlier use, and found when old blocks are read again: they pay nothing. Heights decide, because
 * clocks may be wrong. After it closed, coins it has counted stay its own when old blocks are read
 * again; coins it had lost, or that were unconfirmed when it closed, are no longer its own once
 * mined. A payment accepts a limited number of outputs; `taken` are those about to be sent to one.
 */
export async function findDestinations(
  db: Kysely<Database>,
  observations: readonly Observation[],
  taken: readonly PaymentOutput[] = [],
): Promise<Destination[]> {
  const reported = observations.map((observation, index) => {
    const { network, watchKey, outputId } = observation;
    return { network, watch_key: watchKey, output_id: outputId, deep_at: deepAt(observation), index };
  });
  const { rows } = await sql<DestinationRow>`
    select requested.index, address.address, address.transaction_id, transaction.crypto,
      address.released_at is not null as is_released, payment.presence, recorded.reason as recorded_reason,
      case when requested.deep_at <= address.taken_height then
        -- An event in transit is of an earlier sighting.
        not exists (select from pending_observation where actor_id = transaction.id and topic = requested.output_id)
      else false end as is_before
    from ${unnestRows('requested', REQUESTED_COLUMNS, reported)}
    join address on address.network = requested.network and address.watch_key = requested.watch_key
    left join transaction on transaction.id = address.transaction_id
    left join payment on payment.transaction_id = address.transaction_id
      and payment.output_id = requested.output_id
    left join unassigned_payment as recorded on recorded.network = address.network
      and recorded.address = address.address and recorded.asset = transaction.crypto
      and recorded.output_id = requested.output_id`.execute(db);
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  const found = observations.map((observation, index) => destinationOf(observation, byIndex.get(index)));
  const requested: { readonly index: number; readonly address: string; readonly output: PaymentOutput }[] = [];
  const sent = [...taken];
  for (const [index, destination] of found.entries()) {
    const row = byIndex.get(index);
    if (destination.kind !== 'actor' || row === undefined) continue;
    const output = paymentOutputOf(destination.transactionId, observations[index] as Observation);
    if (row.presence === null) requested.push({ index, address: row.address, output });
    else sent.push(output);
  }
  const outputs = requested.map(({ output }) => output);
  const limits = await readOutputLimits(db, outputs, sent);
  for (const { index, address, output } of requested) {
    const { transactionId } = output;
    if (!limits.admit(output))
      found[index] = { kind: 'unassigned', reason: 'too_many_outputs', address, transactionId };
    else if (limits.wasRejected(output)) found[index] = { kind: 'actor', transactionId, wasRejected: true };
  }
  return found;
}

export function paymentOutputOf(
  transactionId: string,
  { outputId, amountBaseUnits, status }: Observation,
): PaymentOutput {
  const presence = status.kind === 'confirmed' ? 'block' : status.kind;
  return { transactionId, outputId, amountBaseUnits, presence };
}

/** The transactions still waiting for coins at these accounts, in order; null where none is. */
export async function findWaiting(
  db: Kysely<Database>,
  accounts: readonly (Account & { readonly network: string })[],
): Promise<(string | null)[]> {
  const requested = accounts.map(({ network, watchKey, asset }, index) => ({
    network,
    watch_key: watchKey,
    asset,
    index,
  }));
  const { rows } = await sql<{ index: number; transaction_id: string }>`
    select requested.index, address.transaction_id
    from ${unnestRows('requested', { text: ['network', 'watch_key', 'asset'], int4: ['index'] }, requested)}
    join address on address.network = requested.network and address.watch_key = requested.watch_key
      and address.released_at is null
    join transaction on transaction.id = address.transaction_id and transaction.crypto = requested.asset`.execute(db);
  const byIndex = new Map(rows.map((row) => [row.index, row.transaction_id]));
  return accounts.map((_, index) => byIndex.get(index) ?? null);
}

// Helpers

const REQUESTED_COLUMNS = {
  text: ['network', 'watch_key', 'output_id'],
  int8: ['deep_at'],
  int4: ['index'],
} as const;

interface DestinationRow {
  index: number;
  address: string;
  transaction_id: string | null;
  crypto: string | null;
  is_released: boolean;
  /** Presence as recorded by the payment; null when the payment does not have the output. */
  presence: Presence | null;
  /** As recorded before, if it was. */
  recorded_reason: UnassignedReason | null;
  /** In a block from before the address was assigned, and not seen before. */
  is_before: boolean;
}

/** From which height on its block is too deep for a reorganisation; null when it is in none. */
function deepAt({ asset, status }: Observation): number | null {
  return 'height' in status ? status.height + DEEPEST_REORG[ASSETS[asset].family] : null;
}

const NEARNESS: { readonly [K in OutputStatus['kind']]: number } = { gone: 0, mempool: 1, block: 2, confirmed: 2 };

function destinationOf({ asset, watchKey, status }: Observation, row: DestinationRow | undefined): Destination {
  // An address missing from the table is never watched; if it appears anyway, its coins are
  // recorded.
  if (row === undefined || row.transaction_id === null) {
    const address = row?.address ?? watchKey;
    return { kind: 'unassigned', reason: 'unassigned_address', address, transactionId: null };
  }
  const { address, transaction_id: transactionId } = row;
  if (row.crypto !== asset) return { kind: 'unassigned', reason: 'other_asset', address, transactionId };
  const { presence, recorded_reason: recorded } = row;
  if (recorded === 'before_payment' || (presence === null && row.is_before))
    return { kind: 'unassigned', reason: 'before_payment', address, transactionId };
  const isCounted = presence !== null && recorded !== 'monitoring_ended' && NEARNESS[status.kind] <= NEARNESS[presence];
  if (row.is_released && !isCounted) return { kind: 'unassigned', reason: 'monitoring_ended', address, transactionId };
  return { kind: 'actor', transactionId };
}
