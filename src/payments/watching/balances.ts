import { sql, type Transaction } from 'kysely';
import type { AccountChange, Progress, ScannedBlock } from '../../chains/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { DUE_EVEN_IF_RELEASED } from './due-accounts.ts';

/** Changes to the balances of one network in saved progress. */
export interface BalanceChanges extends Pick<Progress, 'blocks' | 'balances' | 'nextChecks'> {
  readonly network: string;
  /** Balances of other eras were not tracked since and are unknown. */
  readonly era: number;
  /** Blocks that are no longer recorded. */
  readonly forgotten: readonly Pick<ScannedBlock, 'flows'>[];
}

/**
 * Updates the expected balances of accounts as of the cursor, in the transaction that saves the
 * progress. An account with coins undone by a reorganisation is due for a check immediately, even
 * if it is no longer watched: a deposit that only its balance showed may now be in another block.
 */
export async function saveBalances(trx: Transaction<Database>, changes: BalanceChanges): Promise<void> {
  const { network, era, balances = [], nextChecks = [] } = changes;
  await addFlows(trx, changes);
  if (balances.length > 0) await upsertBalances(trx, network, era, balances);
  if (nextChecks.length > 0) await saveNextChecks(trx, network, nextChecks);
}

// Helpers

async function addFlows(
  trx: Transaction<Database>,
  { network, era, blocks, forgotten }: BalanceChanges,
): Promise<void> {
  const sums = new Map<string, AccountChange & { isUndone: boolean }>();
  const add = (flow: AccountChange, sign: bigint) => {
    const key = `${flow.watchKey} ${flow.asset}`;
    const before = sums.get(key);
    const baseUnits = (before?.baseUnits ?? 0n) + sign * flow.baseUnits;
    sums.set(key, { ...flow, baseUnits, isUndone: before?.isUndone === true || sign < 0n });
  };
  for (const { flows = [] } of forgotten) for (const flow of flows) add(flow, -1n);
  for (const { flows = [] } of blocks) for (const flow of flows) add(flow, 1n);
  const moved = [...sums.values()].filter(({ baseUnits }) => baseUnits !== 0n);
  if (moved.length === 0) return;
  const rows = moved.map((each) => ({ ...changeRow(each), is_undone: each.isUndone }));
  await sql`
    update account_balance set expected_base_units = expected_base_units + moved.base_units,
      due_at = case when moved.is_undone then ${DUE_EVEN_IF_RELEASED} else due_at end
    from ${unnestRows('moved', { ...CHANGE_COLUMNS, boolean: ['is_undone'] }, rows)}
    where account_balance.network = ${network} and account_balance.watch_key = moved.watch_key
      and account_balance.asset = moved.asset and account_balance.era = ${era}`.execute(trx);
}

const CHANGE_COLUMNS = { text: ['watch_key', 'asset'], numeric: ['base_units'] } as const;

function changeRow({ watchKey, asset, baseUnits }: AccountChange) {
  return { watch_key: watchKey, asset, base_units: baseUnits.toString() };
}

async function upsertBalances(
  trx: Transaction<Database>,
  network: string,
  era: number,
  balances: NonNullable<Progress['balances']>,
): Promise<void> {
  // One account may change twice in a batch of blocks; the later entry is the one as of the cursor.
  const newest = [...new Map(balances.map((each) => [`${each.watchKey} ${each.asset}`, each])).values()];
  await sql`
    insert into account_balance (network, watch_key, asset, expected_base_units, era)
    select ${network}, watch_key, asset, base_units, ${era}::int8
    from ${unnestRows('changed', CHANGE_COLUMNS, newest.map(changeRow))}
    on conflict (network, watch_key, asset) do update
      set expected_base_units = excluded.expected_base_units, era = excluded.era`.execute(trx);
}

/** An account without a next check is no longer watched. */
async function saveNextChecks(
  trx: Transaction<Database>,
  network: string,
  nextChecks: NonNullable<Progress['nextChecks']>,
): Promise<void> {
  const rows = nextChecks.map(({ watchKey, asset, nextCheckAt }) => ({
    watch_key: watchKey,
    asset,
    next_at: nextCheckAt,
  }));
  const checked = unnestRows('checked', { text: ['watch_key', 'asset'], timestamptz: ['next_at'] }, rows);
  const isMeant = sql`account_balance.network = ${network} and account_balance.watch_key = checked.watch_key
      and account_balance.asset = checked.asset`;
  await sql`
    update account_balance set due_at = checked.next_at from ${checked}
    where ${isMeant} and checked.next_at is not null`.execute(trx);
  if (nextChecks.every(({ nextCheckAt }) => nextCheckAt !== null)) return;
  await sql`delete from account_balance using ${checked} where ${isMeant} and checked.next_at is null`.execute(trx);
}
