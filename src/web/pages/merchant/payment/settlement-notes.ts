import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';

/** What a payment's items say about their settlement. */
export type SettledItems = readonly Pick<PaymentInfo['attention'][number], 'kind' | 'note' | 'settledAt'>[];

export interface Settlement {
  /** Quotes what users noted about coins that arrived; null when they noted nothing. */
  readonly sentence: string | null;
  /** Nothing is left to settle. */
  readonly isComplete: boolean;
}

export function settlementOf(attention: SettledItems): Settlement {
  const noted = notedIn(attention);
  if (noted === null) return { sentence: null, isComplete: false };
  const isComplete = attention.every(({ settledAt }) => settledAt !== null);
  return { sentence: `${isComplete ? 'This' : 'Some of it'} was ${noted}`, isComplete };
}

/** The same of a completed payment: what completed it needs no settlement. */
export function partSettledIn(attention: SettledItems): string | null {
  const noted = notedIn(attention);
  return noted === null ? null : `Some of what has arrived was ${noted}`;
}

/** Of an ended payment: late coins were dismissed, perhaps because they were refunded. */
export function dismissalIn(attention: SettledItems): string | null {
  const note = attention.find(({ kind, settledAt }) => kind === 'paid_late' && settledAt !== null)?.note ?? null;
  return note === null ? null : `Late coins were dismissed with the reason “${note}”.`;
}

/** An item that is open again keeps the note about the coins that were settled before. */
export function notedIn(attention: SettledItems): string | null {
  const notes = attention.flatMap(({ kind, note }) => (note === null || !NOTED_KINDS.has(kind) ? [] : [`“${note}”`]));
  return notes.length === 0 ? null : `settled with the note${notes.length === 1 ? '' : 's'} ${notes.join(', ')}.`;
}

/** Kinds about coins that arrived, which a user settles with a note. */
export const NOTED_KINDS: ReadonlySet<PaymentInfo['attention'][number]['kind']> = new Set([
  'underpaid',
  'overpaid',
  'coins_on_closed',
]);
