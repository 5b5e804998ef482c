import type { Account, AccountChange } from '../port.ts';

/** By how much accounts changed, in base units; a negative number went out. */
export interface AccountFlows {
  add(account: Account, baseUnits: bigint): void;
  of(account: Account): bigint;
  /** Every account that changed, once. */
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

/** One text per account, for maps. */
export function accountKey({ watchKey, asset }: Account): string {
  return `${watchKey} ${asset}`;
}
