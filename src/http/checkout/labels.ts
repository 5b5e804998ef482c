import { ASSETS, type CryptoSymbol, formatCoins, parseCoins } from '../../../machines/index.ts';
import type { CustomerView, PublicPayment } from '../../payments/index.ts';
import { assertNever } from '../../platform/errors.ts';
import { isFromRounding } from './languages/formats.ts';
import type { Locale } from './languages/locales.ts';
import type { ScreenText } from './languages/screen-text.ts';
import type { Screen } from './screen.ts';

export interface ScreenState {
  readonly screen: Screen;
  /** Distinguishes the two cases of `checking`. */
  readonly windowIsOver: boolean;
}

export function screenTextOf(transaction: CustomerView, state: ScreenState, locale: Locale): ScreenText {
  const { heading, sentences } = stateTextOf(transaction, state, locale);
  const { crypto, payments } = transaction;
  const { replaced, gone } = locale.texts.screens;
  const dropped = isPayable(state) ? payments.filter((payment) => isDropped(payment, payments)) : [];
  return {
    heading,
    sentences: [
      ...(payments.some(({ isReplaced }) => isReplaced) ? [replaced] : []),
      ...(dropped.length === 0 ? [] : [gone(locale.formats.coinsOf(sumOf(dropped, crypto), crypto, 'down'))]),
      ...sentences,
    ],
  };
}

/** Whether the shop has coins beyond the amount due to give back, visibly so. */
export function hasOpenSurplus(transaction: CustomerView): boolean {
  return transaction.surplus?.isSettled === false && !isFromRounding(surplusOf(transaction));
}

/**
 * The network on which the coins must be sent: "Ethereum (ERC-20)", "Litecoin (test network)".
 * Coins sent on another network cannot be recovered by software.
 */
export function networkName({ crypto, network }: CustomerView, { texts }: Locale): string {
  const standard = ASSETS[crypto].type === 'token' ? ['ERC-20'] : [];
  const kind = texts.network.kinds[network.kind];
  const remarks = [...standard, ...(kind === null ? [] : [kind])];
  return remarks.length === 0 ? network.chainName : `${network.chainName} (${remarks.join(', ')})`;
}

/** Progress of the confirmations: "2 of 3", and the noun. */
export function progressWords(transaction: CustomerView, { texts, formats }: Locale): { count: string; what: string } {
  const { confirmationsRequired: required } = transaction;
  return {
    count: texts.countOf(formats.count(confirmationsOf(transaction)), formats.count(required)),
    what: formats.plural(required, texts.confirmations),
  };
}

/**
 * The lowest number of confirmations among the payments that count, capped at the required number.
 */
export function confirmationsOf({ payments, confirmationsRequired }: CustomerView): number {
  const counts = payments.filter(({ status }) => status !== 'replaced').map(({ confirmations }) => confirmations);
  return counts.length === 0 ? 0 : Math.min(confirmationsRequired, ...counts);
}

// Helpers

function stateTextOf(
  transaction: CustomerView,
  { screen, windowIsOver }: ScreenState,
  { texts, formats }: Locale,
): ScreenText {
  const { crypto, amountPaid, amountRemaining } = transaction;
  const { screens } = texts;
  const requested = (amount: string) => formats.coinsOf(amount, crypto, 'up');
  const paid = (amount: string) => formats.coinsOf(amount, crypto, 'down');
  const arrived = screens.arrived({ paid: formats.coins(amountPaid, 'down'), due: requested(transaction.amountDue) });
  const hasArrived = amountPaid !== '0';
  const unlessReplaced = (sentence: string) => (areAllReplaced(transaction) ? [] : [sentence]);
  switch (screen) {
    case 'waiting':
      return screens.waiting(formats.money(transaction.amountFiat, transaction.currencyFiat), crypto);
    case 'partial': {
      const missing = requested(amountRemaining);
      const { heading, sendRest } = screens.partial;
      return { heading: heading(missing), sentences: [arrived, sendRest(missing)] };
    }
    case 'checking': {
      const { heading, cannotSee, youCanStillPay, windowIsOver: over } = screens.checking;
      if (windowIsOver) return { heading, sentences: over };
      const sentences = [cannotSee(transaction.network.chainName), youCanStillPay];
      return { heading, sentences: hasArrived ? [arrived, ...sentences] : sentences };
    }
    case 'seen':
      return screens.seen(paid(amountPaid));
    case 'completed': {
      const { heading, confirmed, acceptedByShop, tooMuch, tooMuchSettled } = screens.completed;
      const thanks =
        transaction.completedBy === 'merchant' ? acceptedByShop : confirmed(paid(confirmedOf(transaction)));
      const surplus = surplusOf(transaction);
      if (isFromRounding(surplus)) return { heading, sentences: [thanks] };
      const words = hasOpenSurplus(transaction) ? tooMuch : tooMuchSettled;
      return { heading, sentences: [thanks, words(paid(surplus))] };
    }
    case 'expired': {
      const { heading, sentences, paid: askTheShop, paidDismissed, paidSettled } = screens.expired;
      if (!hasArrived) return { heading, sentences };
      const unsettled = transaction.isDismissed ? paidDismissed : askTheShop;
      return { heading, sentences: [arrived, ...(transaction.surplus?.isSettled === true ? paidSettled : unsettled)] };
    }
    case 'late':
      return screens[LATE_TEXTS[transaction.surplus?.missedDeadline ?? 'none']](paid(surplusOf(transaction)));
    case 'lost': {
      const { lostHeading, lost, lostSettled, lostUnpaid, mayReturn } = screens;
      const heading = hasArrived ? lostHeading.part : lostHeading.all;
      if (transaction.status === 'awaiting_confirmation')
        return { heading, sentences: [...unlessReplaced(mayReturn.lostUnpaid), lostUnpaid] };
      const status = transaction.loss === 'gone_settled' ? lostSettled : lost;
      return { heading, sentences: [status, ...unlessReplaced(mayReturn.lost)] };
    }
    case 'reviewing':
      return screens.reviewing;
    case 'failed': {
      const failure = failureOf(transaction);
      const { heading, sentences } = screens[failure];
      const more = failure === 'failedGone' ? unlessReplaced(screens.mayReturn.failedGone) : [];
      return { heading, sentences: [...sentences, ...more] };
    }
    default:
      return assertNever(screen, 'screen');
  }
}

/** What arrived may include more coins, which are not confirmed yet. */
function confirmedOf({ crypto, payments }: CustomerView): string {
  return sumOf(
    payments.filter(({ status, isDeclined }) => status === 'confirmed' && !isDeclined),
    crypto,
  );
}

function sumOf(payments: readonly PublicPayment[], crypto: CryptoSymbol): string {
  const { decimals } = ASSETS[crypto];
  return formatCoins(
    payments.reduce((sum, { amount }) => sum + parseCoins(amount, decimals), 0n),
    decimals,
  );
}

function isPayable({ screen, windowIsOver }: ScreenState): boolean {
  return screen === 'waiting' || screen === 'partial' || (screen === 'checking' && !windowIsOver);
}

/** Whether the network dropped it. A transaction that moved to another block is listed twice. */
function isDropped({ status, isReplaced, txid }: PublicPayment, all: readonly PublicPayment[]): boolean {
  if (status !== 'replaced' || isReplaced || txid === null) return false;
  return all.every((other) => other.txid !== txid || other.status === 'replaced');
}

/** Whether other transactions spend all coins that are gone, so that they do not return. */
function areAllReplaced({ payments }: CustomerView): boolean {
  const gone = payments.filter(({ status }) => status === 'replaced');
  return gone.length > 0 && gone.every(({ isReplaced }) => isReplaced);
}

/** The coins that pay nothing, as a decimal in whole coins. */
function surplusOf({ crypto, surplus }: CustomerView): string {
  return formatCoins(BigInt(surplus?.baseUnits ?? '0'), ASSETS[crypto].decimals);
}

const LATE_TEXTS = { all: 'confirmedLate', some: 'mixedLate', none: 'late' } as const;

function failureOf({ payments, isRejected }: CustomerView): 'failed' | 'failedGone' | 'failedLater' | 'failedRejected' {
  if (isRejected) return 'failedRejected';
  if (payments.every(({ status }) => status === 'replaced')) return 'failedGone';
  return payments.some(({ missedDeadline }) => missedDeadline) ? 'failed' : 'failedLater';
}
