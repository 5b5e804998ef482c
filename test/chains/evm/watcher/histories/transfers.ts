import type { CryptoSymbol } from '../../../../../machines/index.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  otherAddress,
  tokens,
} from '../../../../support/nodes/fake-evm-node.ts';
import type { Transfer } from './random-actions.ts';

export const TOKEN: CryptoSymbol = 'USDT';
const TAXED: CryptoSymbol = 'PEPE';
export const ASSETS: readonly CryptoSymbol[] = [COIN, TOKEN, TAXED];

export interface TransferOptions {
  readonly sender: number;
  readonly nonce: number;
  readonly amount: bigint;
  /** Whether the taxed token withholds a part of each transfer. */
  readonly isTaxed: boolean;
}

/** A sender's transaction for this action. `amount` makes payments distinguishable. */
export function transactionFor(
  transfer: Transfer,
  { sender, nonce, amount, isTaxed }: TransferOptions,
): FakeTransaction {
  const base = { from: otherAddress(sender), nonce };
  switch (transfer.kind) {
    case 'coins':
      return coins(address(transfer.owner), amount, base);
    case 'failed coins':
      return coins(address(transfer.owner), amount, { ...base, fails: true });
    case 'nothing':
      return { ...tokens(TOKEN, address(transfer.owner), 0n, base), to: address(transfer.owner) };
    case 'self':
      return coins(address(transfer.owner), 5n, { ...base, from: address(transfer.owner), feeWei: 3n });
    case 'token':
      return tokens(TOKEN, address(transfer.owner), amount, base);
    case 'taxed token':
      return tokens(TAXED, address(transfer.owner), amount, {
        ...base,
        keptBaseUnits: isTaxed ? amount / 50n : 0n,
      });
    case 'contract coins':
      return contractCoins(
        [
          { to: address(transfer.owner), valueWei: amount },
          { to: address(transfer.other), valueWei: 7n },
        ],
        base,
      );
    case 'token and coins':
      return {
        ...tokens(TOKEN, address(transfer.other), amount, base),
        internal: [{ to: address(transfer.owner), valueWei: amount }],
      };
    case 'coins out':
      return coins(address(transfer.other), 300n, { ...base, from: address(transfer.owner), feeWei: 11n });
    case 'failed out':
      return coins(otherAddress(5), 300n, { ...base, from: address(transfer.owner), feeWei: 11n, fails: true });
    case 'token out':
      return {
        ...tokens(TOKEN, address(transfer.other), 200n, { ...base, from: address(transfer.owner) }),
        from: otherAddress(sender),
      };
  }
}
