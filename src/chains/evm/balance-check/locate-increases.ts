import type { Account, Cursor } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { accountKey } from './account-flows.ts';
import { agreedBalances, readAgain } from './confirmed-balances.ts';

/** An account that holds more than expected at the tip in memory. */
export interface IncreasedAccount<T extends Account> {
  readonly account: T;
  readonly expectedBaseUnits: bigint;
  readonly realBaseUnits: bigint;
}

/**
 * Maximum number of balance reads at earlier blocks per search, each for up to 500 accounts.
 * Locating one block takes the binary logarithm of the blocks in memory, ten, and two more.
 */
export const READINGS_PER_SEARCH = 23;

/**
 * Finds the blocks in memory in which the surplus of accounts arrived, by bisecting balances of
 * earlier blocks. All accounts are searched together, so one block costs as much for many accounts
 * as for one. Coins from before the oldest readable block are dated by that block; coins the search
 * did not separate, by the later of the two blocks it read. Balances that date coins are read once
 * more, from another endpoint if possible: an account about which the two differ is omitted, and
 * `memory.disagreements` has it.
 */
export async function locateIncreases<T extends Account>(
  node: EvmNode,
  memory: EvmMemory,
  increased: readonly IncreasedAccount<T>[],
): Promise<ReadonlyMap<T, readonly BalanceIncrease[]>> {
  const tip = memory.chain.tip()?.height ?? 0;
  const searches = increased.map((each) => createSearch(memory, each, tip));
  // A reading may add two heights that need a second one.
  const reserved = () => datingHeights(searches).size + 2;
  await search(memory, searches, (accounts, block) => node.balances(accounts, block), reserved);
  const confirmed = await confirmDates(node, memory, searches);
  return new Map(confirmed.map(({ account, readings }) => [account, remainingIncreases(readings())]));
}

/**
 * Readings of accounts at blocks in memory, since those in which they last held their expected
 * balances, in chain order: as many as show when a surplus arrived about which two responses
 * disagreed until now; without blocks about which they still do. None for an account that held it
 * at the tip in memory; all blocks in memory where that is unknown, as after a restart. `base`: the
 * expected balance at the tip.
 */
export async function readEarlier<T extends Account>(
  node: EvmNode,
  memory: EvmMemory,
  compared: readonly { readonly account: T; readonly base: bigint }[],
): Promise<ReadonlyMap<T, readonly Reading[]>> {
  const tip = memory.chain.tip();
  const exactAt = ({ account }: { readonly account: T }) => memory.exactAt.get(accountKey(account)) ?? -1;
  const unread = compared.filter((each) => exactAt(each) < (tip?.height ?? 0));
  if (tip === null || unread.length === 0) return new Map();
  const accounts = unread.map(({ account }) => account);
  const balances = await agreedBalances(node, accounts, tip);
  const searches = unread.flatMap((each, index) => {
    const { account, base: expectedBaseUnits } = each;
    const realBaseUnits = balances[index] ?? null;
    if (realBaseUnits === null) return [];
    return [createSearch(memory, { account, expectedBaseUnits, realBaseUnits }, tip.height, exactAt(each))];
  });
  await search(memory, searches, (requested, block) => agreedBalances(node, requested, block));
  return new Map(searches.map(({ account, readings }) => [account, readings()]));
}

/** A balance minus the expected balance at a height, in base units; may be negative. */
export interface Reading {
  readonly height: number;
  readonly aboveBaseUnits: bigint;
}

/** An increase that lasts until the last reading, in the block it arrived in. */
export interface BalanceIncrease {
  readonly height: number;
  /** Height of the previous reading: the coins arrived after it. Null for the first reading. */
  readonly afterHeight: number | null;
  readonly baseUnits: bigint;
}

/**
 * Assigns the last reading's surplus to the blocks it arrived in: an amount counts from the reading
 * at which it was reached and never lost again. The increases add up to the last reading if that is
 * above zero; otherwise there are none.
 */
export function remainingIncreases(readings: readonly Reading[]): BalanceIncrease[] {
  const increases: BalanceIncrease[] = [];
  let lasting = readings.at(-1)?.aboveBaseUnits ?? 0n;
  for (let index = readings.length - 1; index >= 0 && lasting > 0n; index -= 1) {
    const reading = readings[index];
    const before = readings[index - 1];
    if (reading === undefined) break;
    const lastingBefore = before === undefined ? 0n : clamp(before.aboveBaseUnits, lasting);
    if (lasting > lastingBefore) {
      const afterHeight = before?.height ?? null;
      increases.unshift({ height: reading.height, afterHeight, baseUnits: lasting - lastingBefore });
    }
    lasting = lastingBefore;
  }
  return increases;
}

// Helpers

async function search<T extends Account>(
  memory: EvmMemory,
  searches: readonly Search<T>[],
  read: (accounts: readonly T[], block: Cursor) => Promise<readonly (bigint | null)[] | null>,
  reserved: () => number = () => 0,
): Promise<void> {
  let floor = (memory.chain.oldest()?.height ?? 0) - 1;
  for (let readings = 0; readings + reserved() < READINGS_PER_SEARCH; readings += 1) {
    const height = nextHeight(searches, floor);
    if (height === null) break;
    const requested = searches.filter((search) => search.isOpenAt(height, floor));
    const block = memory.chain.at(height);
    const accounts = requested.map(({ account }) => account);
    const balances = block === null ? null : await read(accounts, block);
    // Coins from before a block that cannot be read are dated by a later one.
    if (balances === null || balances.includes(null)) floor = height;
    for (const [index, search] of requested.entries()) {
      const balance = balances?.[index] ?? null;
      if (balance !== null) search.addReading(height, balance);
    }
  }
}

/** Heights whose balances date increases. The one at the tip in memory was confirmed before. */
function datingHeights(searches: readonly Search<Account>[]): Set<number> {
  return new Set(searches.flatMap((search) => search.datedBy()));
}

/** Searches whose dating balances a second response confirms. */
async function confirmDates<T extends Account>(
  node: EvmNode,
  { chain, disagreements }: EvmMemory,
  searches: readonly Search<T>[],
): Promise<readonly Search<T>[]> {
  const doubted = new Set<Search<T>>();
  for (const height of datingHeights(searches)) {
    const block = chain.at(height);
    const dated = searches.filter((search) => search.datedBy().includes(height));
    const accounts = dated.map(({ account }) => account);
    if (block === null) continue;
    const { balances, isOther } = await readAgain(node, accounts, block);
    for (const [index, search] of dated.entries()) {
      const [first, second] = [search.balanceAt(height), balances?.[index] ?? null];
      if (first === second) continue;
      doubted.add(search);
      const { watchKey, asset } = search.account;
      const baseUnits = [first, second] as const;
      const disagreement = {
        watchKey,
        asset,
        height,
        baseUnits,
        isOfTwoEndpoints: isOther,
        fall: null,
        isOpen: false,
      };
      disagreements.set(accountKey(search.account), disagreement);
    }
  }
  return searches.filter((search) => !doubted.has(search));
}

/** The search for one account: its surplus over the expected balance at the heights read so far. */
interface Search<T> {
  readonly account: T;
  /** Bounds of the first range of blocks with a part of the surplus; null when all are located. */
  gap(floor: number): { readonly low: number; readonly high: number } | null;
  /** Whether a reading at this height narrows the search. */
  isOpenAt(height: number, floor: number): boolean;
  addReading(height: number, balance: bigint): void;
  readings(): readonly Reading[];
  /** Heights of the readings that date increases: the first with one, and the last without. */
  datedBy(): number[];
  /** The balance that the reading at this height was made from. */
  balanceAt(height: number): bigint;
}

function createSearch<T extends Account>(
  memory: EvmMemory,
  { account, expectedBaseUnits, realBaseUnits }: IncreasedAccount<T>,
  tip: number,
  exactAt?: number,
): Search<T> {
  const last = { height: tip, aboveBaseUnits: realBaseUnits - expectedBaseUnits };
  let readings: Reading[] = exactAt === undefined ? [last] : [{ height: exactAt, aboveBaseUnits: 0n }, last];

  /** The expected balance at an earlier height: flows of later blocks are subtracted. */
  function expectedAt(height: number): bigint {
    let expected = expectedBaseUnits;
    for (const { flows = [] } of memory.chain.above(height)) {
      for (const flow of flows) if (accountKey(flow) === accountKey(account)) expected -= flow.baseUnits;
    }
    return expected;
  }

  function gaps(floor: number) {
    return readings.flatMap(({ height: high, aboveBaseUnits }, index) => {
      const before = readings[index - 1];
      const low = Math.max(floor, before?.height ?? floor);
      return aboveBaseUnits > (before?.aboveBaseUnits ?? 0n) && high - low > 1 ? [{ low, high }] : [];
    });
  }

  return {
    account,
    gap: (floor) => gaps(floor)[0] ?? null,
    isOpenAt: (height, floor) => gaps(floor).some(({ low, high }) => height > low && height < high),
    addReading(height, balance) {
      const reading = { height, aboveBaseUnits: balance - expectedAt(height) };
      readings = [...readings, reading].sort((one, other) => one.height - other.height);
    },
    readings: () => readings,
    datedBy() {
      const bounds = remainingIncreases(readings).flatMap(({ height, afterHeight }) => [afterHeight ?? -1, height]);
      return bounds.filter((height) => height >= 0 && height < tip);
    },
    balanceAt(height) {
      const above = readings.find((reading) => reading.height === height)?.aboveBaseUnits ?? 0n;
      return above + expectedAt(height);
    },
  };
}

function nextHeight(searches: readonly Search<unknown>[], floor: number): number | null {
  for (const search of searches) {
    const gap = search.gap(floor);
    if (gap !== null) return Math.floor((gap.low + gap.high) / 2);
  }
  return null;
}

/** Limits `value` to the range from 0 to `limit`. */
function clamp(value: bigint, limit: bigint): bigint {
  if (value < 0n) return 0n;
  return value < limit ? value : limit;
}
