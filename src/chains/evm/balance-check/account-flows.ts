import type { Account, AccountChange } from '../../port.ts';

/** Net change of each account in base units; negative when coins left. */
export interface AccountFlows {
  add(account: Account, baseUnits: bigint): void;
  of(account: Account): bigint;
  /** Every account with a nonzero net change, once. */
  changes(): AccountChange[];
}

export function createAccountFlows(): AccountFlows {
  const sums = new Map<string, AccountChange>();
  const of = (account: Account) => sums.get(accountKey(account))?.baseUnits ?? 0n;
  return {
    add({ watchKey, asset }, baseUnits) {
      const sum = of({ watchKey, asset }) + baseUnits;
      sums.set(accountKey({ watchKey, asset }), { watchKey, asset, baseUnits: sum });
    },
    of,
    changes: () => [...sums.values()].filter(({ baseUnits }) => baseUnits !== 0n),
  };
}

export function accountKey({ watchKey, asset }: Account): string {
  return `${watchKey} ${asset}`;
}
