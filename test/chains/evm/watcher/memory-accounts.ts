import type { UnixMs } from '../../../../machines/index.ts';
import { accountKey } from '../../../../src/chains/evm/balance-check/account-flows.ts';
import type { Account, AccountReader, Progress, ScannedBlock } from '../../../../src/chains/index.ts';
import type { MemoryStore } from '../../support/watcher-store.ts';

/**
 * An account reader whose accounts tests open and close. Expected balances are derived from what
 * the store saved.
 */
export interface MemoryAccountReader extends AccountReader {
  /** A vetted account was assigned after every block so far, by default. */
  open(account: Account, wasVetted?: boolean, assignedAt?: UnixMs): void;
  close(account: Account): void;
  /** By default, addresses were assigned before the first block. */
  assign(watchKey: string, at: UnixMs): void;
  /** Makes these accounts due for the balance check. */
  makeDue(...accounts: Account[]): void;
  /** Makes all balances unknown, as after a version that does not follow them. */
  forgetBalances(): void;
  /** The expected balance at the saved cursor; null when unknown. */
  expected(account: Account): bigint | null;
  /** Accounts that are due. */
  due(): string[];
}

/** These tests never reach the turn after the next one. */
const NEXT_TURN_AT = Number.MAX_SAFE_INTEGER;

export function createMemoryAccountReader(store: MemoryStore): MemoryAccountReader {
  const open = new Map<string, { readonly account: Account; readonly emptyUntil: UnixMs | null }>();
  const due = new Map<string, Account>();
  const assigned = new Map<string, UnixMs>();
  const expected = new Map<string, bigint>();
  let blocks: readonly ScannedBlock[] = [];
  let folded = 0;

  /**
   * Same as the tables: subtracts flows of disconnected blocks, adds those of new ones, and
   * absolute balances override both.
   */
  function fold({ forkHeight, blocks: added, balances = [], nextChecks: turns = [] }: Progress): void {
    const forgotten = blocks.filter(({ height }) => height > forkHeight);
    const isUnknownBranch = blocks[0] !== undefined && forkHeight + 1 < blocks[0].height;
    if (isUnknownBranch) expected.clear();
    const sums = new Map<string, { readonly account: Account; readonly baseUnits: bigint }>();
    const add = ({ flows = [] }: ScannedBlock, sign: bigint) => {
      for (const flow of flows) {
        const baseUnits = (sums.get(accountKey(flow))?.baseUnits ?? 0n) + sign * flow.baseUnits;
        sums.set(accountKey(flow), { account: flow, baseUnits });
      }
    };
    for (const block of forgotten) add(block, -1n);
    const undone = new Set(sums.keys());
    for (const block of added) add(block, 1n);
    for (const [key, { account, baseUnits }] of sums) {
      const before = expected.get(key);
      if (before === undefined || baseUnits === 0n) continue;
      expected.set(key, before + baseUnits);
      if (undone.has(key)) due.set(key, account);
    }
    for (const balance of balances) expected.set(accountKey(balance), balance.baseUnits);
    for (const turn of turns) due.delete(accountKey(turn));
    blocks = [...blocks.filter(({ height }) => height <= forkHeight), ...added];
  }

  function foldAll(): void {
    for (const save of store.saves.slice(folded)) fold(save);
    folded = store.saves.length;
  }

  return {
    open(account, wasVetted = false, assignedAt = Number.MAX_SAFE_INTEGER) {
      open.set(accountKey(account), { account, emptyUntil: wasVetted ? assignedAt : null });
    },
    assign: (watchKey, assignedAt) => void assigned.set(watchKey, assignedAt),
    close: (account) => void open.delete(accountKey(account)),
    makeDue(...accounts) {
      foldAll();
      for (const account of accounts) due.set(accountKey(account), account);
    },
    forgetBalances() {
      foldAll();
      expected.clear();
    },
    expected(account) {
      foldAll();
      return expected.get(accountKey(account)) ?? null;
    },
    due() {
      foldAll();
      return [...due.keys()];
    },
    async openAccounts() {
      foldAll();
      return [...open].map(([key, { account, emptyUntil }]) => {
        return { ...account, emptyUntil, expectedBaseUnits: expected.get(key) ?? null };
      });
    },
    async dueAccounts(limit) {
      foldAll();
      return [...due.values()].slice(0, limit).map(({ watchKey, asset }) => {
        const expectedBaseUnits = expected.get(accountKey({ watchKey, asset })) ?? null;
        return {
          watchKey,
          asset,
          expectedBaseUnits,
          assignedAt: assigned.get(watchKey) ?? 0,
          nextCheckAt: NEXT_TURN_AT,
        };
      });
    },
  };
}
