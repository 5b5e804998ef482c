import type { Account } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { lastingRises, type Reading, type Rise } from './rises.ts';

/** An account that holds more than it should at the remembered tip. */
export interface RisenAccount<T extends Account> {
  readonly account: T;
  readonly expectedBaseUnits: bigint;
  readonly realBaseUnits: bigint;
}

/**
 * Readings of balances at earlier blocks that one search makes at most, each for up to 500 accounts. The rises of one block
 * are found with the binary logarithm of the remembered blocks, which is ten.
 */
export const READINGS_PER_SEARCH = 24;

/**
 * In which remembered blocks the surplus of accounts came, by reading balances of earlier blocks. All accounts are searched
 * together, so coins that came in one block cost as much for many accounts as for one. Coins that came before the oldest block
 * that can be read are dated by that block, those that the search did not separate by the later of the two blocks it read.
 */
export async function locateRises<T extends Account>(
  node: EvmNode,
  memory: EvmMemory,
  risen: readonly RisenAccount<T>[],
): Promise<ReadonlyMap<T, readonly Rise[]>> {
  const oldest = memory.chain.oldest()?.height ?? 0;
  const tip = memory.chain.tip()?.height ?? 0;
  const searches = risen.map((each) => createSearch(memory, each, tip));
  let floor = oldest - 1;
  for (let readings = 0; readings < READINGS_PER_SEARCH; readings += 1) {
    const height = nextHeight(searches, floor);
    if (height === null) break;
    const asked = searches.filter((search) => search.isOpenAt(height, floor));
    const balances = await node.balances(
      asked.map(({ account }) => account),
      height,
    );
    if (balances === null) floor = height;
    else for (const [index, search] of asked.entries()) search.note(height, balances[index] ?? 0n);
  }
  return new Map(searches.map(({ account, rises }) => [account, rises()]));
}

// Helpers

/** One account: how far it was above what is expected, at the heights that were read. */
interface Search<T> {
  readonly account: T;
  /** Ends of the first run of blocks in which a part of the surplus came; null when all are known. */
  gap(floor: number): { readonly low: number; readonly high: number } | null;
  /** Whether a reading at this height narrows the search. */
  isOpenAt(height: number, floor: number): boolean;
  note(height: number, balance: bigint): void;
  rises(): Rise[];
}

function createSearch<T extends Account>(
  memory: EvmMemory,
  { account, expectedBaseUnits, realBaseUnits }: RisenAccount<T>,
  tip: number,
): Search<T> {
  let readings: Reading[] = [{ height: tip, aboveBaseUnits: realBaseUnits - expectedBaseUnits }];

  /** What came later by transactions was not there yet. */
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
    note(height, balance) {
      const reading = { height, aboveBaseUnits: balance - expectedAt(height) };
      readings = [...readings, reading].sort((one, other) => one.height - other.height);
    },
    rises: () => lastingRises(readings),
  };
}

function nextHeight(searches: readonly Search<unknown>[], floor: number): number | null {
  for (const search of searches) {
    const gap = search.gap(floor);
    if (gap !== null) return Math.floor((gap.low + gap.high) / 2);
  }
  return null;
}
