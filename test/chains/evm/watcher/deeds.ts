import type { CryptoSymbol } from '../../../../machines/index.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  stranger,
  tokens,
} from '../../../support/nodes/fake-evm-node.ts';
import type { Deed } from './random-actions.ts';

export const TOKEN: CryptoSymbol = 'USDT';
const TAXED: CryptoSymbol = 'PEPE';
export const ASSETS: readonly CryptoSymbol[] = [COIN, TOKEN, TAXED];

export interface DeedOptions {
  readonly sender: number;
  readonly nonce: number;
  readonly amount: bigint;
  /** Whether the taxed token withholds a part of each transfer. */
  readonly isTaxed: boolean;
}

/** A sender's transaction for this action. `amount` makes payments distinguishable. */
export function transactionFor(deed: Deed, { sender, nonce, amount, isTaxed }: DeedOptions): FakeTransaction {
  const base = { from: stranger(sender), nonce };
  switch (deed.kind) {
    case 'coins':
      return coins(address(deed.owner), amount, base);
    case 'failed coins':
      return coins(address(deed.owner), amount, { ...base, fails: true });
    case 'nothing':
      return { ...tokens(TOKEN, address(deed.owner), 0n, base), to: address(deed.owner) };
    case 'self':
      return coins(address(deed.owner), 5n, { ...base, from: address(deed.owner), feeWei: 3n });
    case 'token':
      return tokens(TOKEN, address(deed.owner), amount, base);
    case 'taxed token':
      return tokens(TAXED, address(deed.owner), amount, {
        ...base,
        keptBaseUnits: isTaxed ? amount / 50n : 0n,
      });
    case 'contract coins':
      return contractCoins(
        [
          { to: address(deed.owner), valueWei: amount },
          { to: address(deed.other), valueWei: 7n },
        ],
        base,
      );
    case 'token and coins':
      return {
        ...tokens(TOKEN, address(deed.other), amount, base),
        internal: [{ to: address(deed.owner), valueWei: amount }],
      };
    case 'coins out':
      return coins(address(deed.other), 300n, { ...base, from: address(deed.owner), feeWei: 11n });
    case 'failed out':
      return coins(stranger(5), 300n, { ...base, from: address(deed.owner), feeWei: 11n, fails: true });
    case 'token out':
      return {
        ...tokens(TOKEN, address(deed.other), 200n, { ...base, from: address(deed.owner) }),
        from: stranger(sender),
      };
  }
}
