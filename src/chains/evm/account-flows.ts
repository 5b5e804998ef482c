import type { Account } from '../port.ts';

/** By how much accounts changed, in base units; a negative number went out. */
export interface AccountFlows {
  add(account: Account, baseUnits: bigint): void;
  of(account: Account): bigint;
}

export function createAccountFlows(): AccountFlows {
  const sums = new Map<string, bigint>();
  return {
    add(account, baseUnits) {
      const key = accountKey(account);
      sums.set(key, (sums.get(key) ?? 0n) + baseUnits);
    },
    of: (account) => sums.get(accountKey(account)) ?? 0n,
  };
}

/** One text per account, for maps. */
export function accountKey({ watchKey, asset }: Account): string {
  return `${watchKey} ${asset}`;
}
