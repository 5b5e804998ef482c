import { ASSETS, parseCoins, remainingBaseUnits, type TransactionContext } from '../../../machines/index.ts';
import { plainDecimal } from '../../platform/decimal-text.ts';
import { assertNever, TerminalError } from '../../platform/errors.ts';

/** The simulate actions that send coins. */
export type PayingAction = 'pay' | 'pay_partial' | 'overpay' | 'pay_late';

/**
 * Base units that a simulated customer sends: the requested amount in whole coins, or the action's
 * default. Throws `INVALID_REQUEST` for an invalid amount, `INVALID_STATE` when nothing is left to
 * pay.
 */
export function amountToPay(context: TransactionContext, action: PayingAction, amountCrypto?: number): bigint {
  const remaining = remainingBaseUnits(context);
  const due = BigInt(context.dueBaseUnits);
  if (amountCrypto !== undefined) {
    if (action !== 'pay') return amountFromNumber(amountCrypto, ASSETS[context.crypto].decimals);
    throw new TerminalError(
      'INVALID_REQUEST',
      'action pay sends what is due; use pay_partial or overpay to choose amount_crypto',
    );
  }
  switch (action) {
    case 'pay':
      if (remaining === 0n) throw invalidState('nothing more is due; use overpay to send more');
      return remaining;
    case 'pay_partial':
      if (remaining < 2n) throw invalidState('the remaining amount is too small to pay a part of it');
      return remaining / 2n;
    case 'overpay':
      return remaining + due / 10n + 1n;
    case 'pay_late':
      return remaining === 0n ? due : remaining;
    default:
      return assertNever(action, 'action');
  }
}

/** The error for an action that is not possible in the current state. */
export function invalidState(message: string): TerminalError {
  return new TerminalError('INVALID_STATE', `The action is not possible now: ${message}`);
}

// Helpers

function amountFromNumber(amount: number, decimals: number): bigint {
  try {
    const baseUnits = parseCoins(plainDecimal(amount), decimals, 'amount_crypto');
    if (baseUnits > 0n) return baseUnits;
  } catch {
    // Reported below, with the field name of the interface.
  }
  throw new TerminalError('INVALID_REQUEST', `amount_crypto must be above 0 with at most ${decimals} decimals`);
}
