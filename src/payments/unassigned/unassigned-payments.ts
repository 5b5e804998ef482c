import { type Kysely, sql, type Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import type { Observation } from '../../chains/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { skipFree } from '../../wallets/index.ts';
import { raiseUnassigned } from '../attention/raise-unassigned.ts';
import { notifyUnassigned, type UnassignedRow } from '../notices/notify-unassigned.ts';
import { storeAlerts } from '../operator-alerts.ts';
import {
  type AssignedObservation,
  type Destination,
  findDestinations,
  type PaymentOutput,
  type UnassignedReason,
} from '../watching/destinations.ts';

/** Result of recording unassigned deposits. */
export interface Recorded {
  /** Observations of a payment after all: their address was assigned concurrently. */
  readonly claimed: readonly AssignedObservation[];
  /**
   * Unassigned deposits in a block for the first time, except outputs beyond what a payment
   * accepts, from before it, and of test payments and wallets. An operator alert was written for
   * each.
   */
  readonly alerts: readonly UnassignedAlert[];
}

export interface UnassignedAlert {
  readonly alert: 'coins_at_unassigned_address' | 'coins_after_monitoring' | 'coins_in_other_asset';
  readonly network: string;
  readonly outputId: string;
}

export interface RecordOptions {
  /** Outputs that the same report sends to payments. */
  readonly taken?: readonly PaymentOutput[];
  /** Base URL of links in emails, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Records unassigned deposits, coins that belong to no active payment, in this transaction: their
 * rows, operator alerts (see `Recorded.alerts`), emails to the merchant, and the removal of their
 * addresses from the free ones.
 *
 * Free addresses are locked before the decision. If one is being assigned, this waits and then
 * finds its payment; one that is recorded here is skipped by address allocation. So either the
 * coins belong to a payment or their address is never assigned; never both or neither.
 */
export async function recordUnassigned(
  trx: Transaction<Database>,
  observations: readonly Observation[],
  { taken = [], publicUrl }: RecordOptions,
): Promise<Recorded> {
  await lockAddresses(trx, observations);
  const destinations = await findDestinations(trx, observations, taken);
  const claimed: AssignedObservation[] = [];
  const unassigned = new Map<string, UnassignedObservation>();
  for (const [index, observation] of observations.entries()) {
    const destination = destinations[index];
    if (destination === undefined) throw new Error('an observation was lost');
    if (destination.kind === 'actor') {
      claimed.push({ ...destination, observation });
      continue;
    }
    // Of several reports about one output only the newest is written.
    const key = JSON.stringify([destination.address, observation.asset, observation.outputId]);
    const earlier = unassigned.get(key);
    if (earlier === undefined || earlier.observation.order < observation.order) {
      unassigned.set(key, { observation, destination });
    }
  }
  if (unassigned.size === 0) return { claimed, alerts: [] };
  const rows = [...unassigned.values()];
  await takeOutOfFree(trx, rows);
  const written = await upsert(trx, rows);
  const raised = await raiseUnassigned(trx, written);
  const inBlock = written.filter((row) => row.is_first_in_block);
  await notifyUnassigned(trx, written.filter(isMailed(raised)), publicUrl);
  return { claimed, alerts: await storeUnassignedAlerts(trx, inBlock) };
}

export interface UnassignedPayment {
  readonly network: string;
  readonly outputId: string;
  readonly asset: string;
  readonly address: string;
  /** The payment that the address was assigned to; null when it was free. */
  readonly transactionId: string | null;
  readonly reason: UnassignedReason;
  readonly txid: string | null;
  readonly amountBaseUnits: bigint;
  readonly status: string;
  /** Height of the block the coins are in; null when they are in none. */
  readonly height: number | null;
  readonly firstSeenAt: UnixMs;
}

/** Unassigned deposits, newest first, including vanished ones. */
export async function listUnassignedPayments(
  db: Kysely<Database>,
  { network, limit }: { network?: string; limit: number },
): Promise<UnassignedPayment[]> {
  const rows = await db
    .selectFrom('unassigned_payment')
    .selectAll()
    .$if(network !== undefined, (query) => query.where('network', '=', network ?? ''))
    .orderBy('first_seen_at', 'desc')
    .orderBy('output_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    network: row.network,
    outputId: row.output_id,
    asset: row.asset,
    address: row.address,
    transactionId: row.transaction_id,
    reason: row.reason,
    txid: row.txid,
    amountBaseUnits: row.amount_base_units,
    status: row.status,
    height: row.status === 'block' || row.status === 'confirmed' ? row.height : null,
    firstSeenAt: row.first_seen_at,
  }));
}

/** Number of unassigned deposits on a chain or in a mempool, without vanished ones. */
export async function countUnassignedPayments(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('unassigned_payment')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('unassigned_payment.status', '<>', 'gone')
    .executeTakeFirstOrThrow();
  return count;
}

// Helpers

interface UnassignedObservation {
  readonly observation: Observation;
  readonly destination: Extract<Destination, { kind: 'unassigned' }>;
}

/**
 * Surplus outputs wait for the merchant, and reading old blocks again may find thousands of coins
 * from before: an alert for each would flood the operators.
 */
const ALERTS: Readonly<Record<UnassignedReason, UnassignedAlert['alert'] | null>> = {
  unassigned_address: 'coins_at_unassigned_address',
  monitoring_ended: 'coins_after_monitoring',
  other_asset: 'coins_in_other_asset',
  before_payment: null,
  too_many_outputs: null,
};

/**
 * In the same order everywhere, so that two of these cannot deadlock. Free rows first, because an
 * allocation locks them first.
 */
async function lockAddresses(trx: Transaction<Database>, observations: readonly Observation[]): Promise<void> {
  const requested = observations.map(({ network, watchKey }) => ({ network, watch_key: watchKey }));
  const found = sql`${unnestRows('requested', { text: ['network', 'watch_key'] }, requested)}
    join address on address.network = requested.network and address.watch_key = requested.watch_key`;
  await sql`
    select 1 from ${found}
    join free_address as free on free.derivation_key_id = address.derivation_key_id
      and free.derivation_index = address.derivation_index
    order by free.derivation_key_id, free.derivation_index
    for update of free`.execute(trx);
  await sql`
    select 1 from ${found} order by address.network, address.address for update of address`.execute(trx);
}

/** These addresses are known to someone who may pay again: never assigned, even if coins vanish. */
async function takeOutOfFree(trx: Transaction<Database>, unassigned: readonly UnassignedObservation[]): Promise<void> {
  const free = unassigned.filter(({ destination }) => destination.reason === 'unassigned_address');
  if (free.length === 0) return;
  const mine = free.map(({ observation: { network }, destination: { address } }) => ({ network, address }));
  await skipFree(
    trx,
    sql`(derivation_key_id, derivation_index) in (
      select address.derivation_key_id, address.derivation_index
      from ${unnestRows('mine', { text: ['network', 'address'] }, mine)} join address on address.network = mine.network and address.address = mine.address
    )`,
  );
}

interface UpsertedRow extends Omit<UnassignedRow, 'reason'> {
  reason: UnassignedReason;
  /** Mode of its payment or, without one, of the wallet. */
  mode: Mode;
  is_first_in_block: boolean;
  /** Change of the unassigned sum: coins that are gone or settled by a user do not count. */
  change_base_units: bigint;
}

const UNASSIGNED_COLUMNS = {
  text: ['network', 'address', 'asset', 'output_id', 'transaction_id', 'reason', 'txid', 'status'],
  numeric: ['amount_base_units'],
  int8: ['height', 'chain_order'],
  timestamptz: ['first_seen_at'],
} as const;

/**
 * Writes the newest status of each; an older report changes nothing. The height is kept when coins
 * leave their block, to distinguish the first block from later ones.
 */
async function upsert(
  trx: Transaction<Database>,
  unassigned: readonly UnassignedObservation[],
): Promise<UpsertedRow[]> {
  const reported = unassigned.map(({ observation, destination }) => ({
    network: observation.network,
    address: destination.address,
    asset: observation.asset,
    output_id: observation.outputId,
    transaction_id: destination.transactionId,
    reason: destination.reason,
    txid: observation.txid,
    amount_base_units: observation.amountBaseUnits.toString(),
    status: observation.status.kind,
    height: 'height' in observation.status ? observation.status.height : null,
    chain_order: observation.order,
    first_seen_at: observation.firstSeenAt,
  }));
  const { rows } = await sql<UpsertedRow>`
    with reported as (
      select * from ${unnestRows('reported', UNASSIGNED_COLUMNS, reported)}
    ), known as (
      select network, address, asset, output_id, before.height,
        case when before.status = 'gone' then 0 else before.amount_base_units end as base_units
      from reported join unassigned_payment as before using (network, address, asset, output_id)
    ), written as (
      insert into unassigned_payment (network, address, asset, output_id, transaction_id, reason, txid, amount_base_units,
        status, height, chain_order, first_seen_at)
      select network, address, asset, output_id, transaction_id, reason, txid, amount_base_units, status, height,
        chain_order, first_seen_at from reported
      on conflict (network, address, asset, output_id) do update set txid = excluded.txid,
        amount_base_units = excluded.amount_base_units, status = excluded.status,
        height = coalesce(excluded.height, unassigned_payment.height), chain_order = excluded.chain_order
      where unassigned_payment.chain_order < excluded.chain_order
      returning network, address, asset, output_id, txid, amount_base_units, transaction_id, reason, status, height,
        settled_at
    )
    select network, address, output_id, txid, asset, amount_base_units, transaction_id, reason,
      status, written.height,
      coalesce(
        (select terms.mode from transaction_terms as terms where terms.id = written.transaction_id),
        (select key.mode from address join derivation_key as key on key.id = address.derivation_key_id
          where address.network = written.network and address.address = written.address),
        'live') as mode,
      written.height is not null and known.height is null as is_first_in_block,
      case
        when settled_at is not null then 0
        else case when status = 'gone' then 0 else amount_base_units end - coalesce(known.base_units, 0)
      end as change_base_units
    from written left join known using (network, address, asset, output_id)`.execute(trx);
  return rows;
}

/** Surplus outputs cause one email per payment: a sender could add any number. */
function isMailed(raised: ReadonlySet<string>) {
  return (row: UpsertedRow): row is UpsertedRow & UnassignedRow => {
    const { reason, transaction_id: id, is_first_in_block: isFirst } = row;
    if (reason === 'before_payment') return false;
    return reason === 'too_many_outputs' ? id !== null && raised.has(id) : isFirst;
  };
}

async function storeUnassignedAlerts(
  trx: Transaction<Database>,
  rows: readonly UpsertedRow[],
): Promise<UnassignedAlert[]> {
  const alerting = rows.flatMap((row) => {
    const alert = ALERTS[row.reason];
    // Coins without value at an address of no payment are nothing to practise with either.
    const isWorthless = row.mode === 'test' && row.transaction_id === null;
    return alert === null || isWorthless ? [] : [{ ...row, alert }];
  });
  const stored = alerting.map((row) => ({
    actorId: row.transaction_id,
    mode: row.mode,
    alert: row.alert,
    detail: `${row.amount_base_units} base units of ${row.asset} in ${row.output_id} on ${row.network}`,
  }));
  await storeAlerts(trx, stored);
  return alerting
    .filter(({ mode }) => mode === 'live')
    .map(({ alert, network, output_id }) => ({ alert, network, outputId: output_id }));
}
