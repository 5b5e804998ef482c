import {
  ASSETS,
  type CryptoSymbol,
  formatCoins,
  type GoneReason,
  type PublicState,
  publicStateOf,
  type TransactionEvent,
  type UnixMs,
} from '../../../machines/index.ts';
import { type JournalEntry, migratedSnapshotOf } from '../../platform/engine/index.ts';
import { isId } from '../../platform/ids.ts';
import { isByOperator } from '../decide/decision.ts';

/** Who caused an event. */
export type TimelineActor =
  | { readonly kind: 'shop' | 'customer' | 'chain' | 'clock' | 'operator' | 'service' }
  /** A user of the merchant, by opaque id. */
  | { readonly kind: 'person'; readonly userId: string };

export interface TimelineEntry {
  /** Sequence number in the journal. */
  readonly sequence: number;
  readonly at: UnixMs;
  readonly who: TimelineActor;
  /** A plain sentence. */
  readonly words: string;
  /** The reason a user entered for a decision, in their words. */
  readonly reason: string | null;
  /** The on-chain transaction it is about. */
  readonly txid: string | null;
  /** The new public state of the payment; null when unchanged. */
  readonly becomes: PublicState | null;
}

export interface TimelineInput {
  readonly crypto: CryptoSymbol;
  readonly confirmationsRequired: number;
  /** Who requested the payment. */
  readonly startedBy: 'shop' | 'customer';
}

export type TimelineSource = Pick<JournalEntry, 'sequence' | 'at' | 'eventId' | 'event' | 'outcome' | 'state'>;

/**
 * The journal of a payment in plain sentences, oldest first. Omits events without a visible effect:
 * repeated chain reports, migrations to another version of the chart, and ignored events, except
 * ignored decisions, whose authors want to know. Total: events unknown to this version get a
 * generic sentence.
 */
export function timelineOf(journal: readonly TimelineSource[], input: TimelineInput): readonly TimelineEntry[] {
  const statuses = new Map<string, string>();
  let before: PublicState | null = null;
  const entries: TimelineEntry[] = [];
  for (const entry of journal) {
    const after: PublicState | null = publicStateIn(entry.state) ?? before;
    const isChanged = after?.status !== before?.status || after?.exception !== before?.exception;
    // Called for every entry, because it keeps state.
    const isShown = isNotable(entry, statuses);
    before = after;
    if (!isShown && !isChanged) continue;
    entries.push({
      sequence: entry.sequence,
      at: entry.at,
      who: actorOf(entry, input),
      words: wordsOf(entry, input),
      reason: reasonOf(entry),
      txid: textIn(entry.event, 'txid'),
      becomes: isChanged ? after : null,
    });
  }
  return entries;
}

// Helpers

/** Null for a migration, whose reason is for operators, and for the network's codes. */
function reasonOf({ event }: TimelineSource): string | null {
  if (event.type.startsWith('chain.') || migratedSnapshotOf(event) !== null) return null;
  return textIn(event, 'reason');
}

/** Journaled events may come from other versions, so only their type is certain. */
type FieldsOf<Type extends TransactionEvent['type']> = Partial<Extract<TransactionEvent, { type: Type }>>;

type EventDescriptions = {
  readonly [Type in TransactionEvent['type']]: (event: FieldsOf<Type>, input: TimelineInput) => string;
};

const WORDS: EventDescriptions = {
  'chain.output_seen': (event, input) => `${amountIn(event, input)} was sent and is not in a block yet`,
  'chain.output_mined': (event, input) =>
    `${amountIn(event, input)} is in ${event.height === undefined ? 'a block' : `block ${event.height}`} and needs ${confirmations(input)}`,
  'chain.output_confirmed': (event, input) => `${amountIn(event, input)} is confirmed`,
  'chain.output_dropped': (event, input) => `${amountIn(event, input)} ${LOSSES[event.reason ?? 'evicted']}`,
  'chain.balance_dropped': (event, { crypto }) =>
    `${coins(event.missingBaseUnits, crypto)} was moved out of the payment address, and no matching incoming payment was seen; the payment window is paused`,
  'timer.window_closed': () => 'The payment window closed',
  'timer.confirmation_deadline_passed': () => 'The coins were not in a block before the deadline',
  'timer.loss_settled': () => 'The missing coins did not return and are lost',
  'timer.verification_overdue': () => 'The confirmation check received no response and is repeated',
  'timer.monitoring_ended': () => 'The address is no longer watched; the payment is final',
  'timer.depth_reached': () => 'Enough blocks were added; the coins are being verified',
  'merchant.marked_paid': () => 'Accepted the late payment: marked as paid',
  'merchant.dismissed': () => 'Did not accept the late payment: the order stays unpaid',
  'merchant.confirmed': () => 'Confirmed after review: the money is there',
  'merchant.rejected': () => 'Rejected after review: not paid',
  'merchant.settled': settledWords,
};

function settledWords(event: FieldsOf<'merchant.settled'>, { crypto }: TimelineInput): string {
  const { surplusBaseUnits: surplus, lossBaseUnits: loss } = event;
  if (surplus !== undefined) return `Settled ${coins(surplus, crypto)} as too much`;
  if (loss !== undefined) return `Settled the loss of ${coins(loss, crypto)}`;
  return 'Settled the coins that had arrived: they pay nothing any more';
}

const LOSSES: { readonly [R in GoneReason]: string } = {
  replaced: 'was replaced by another transaction and no longer counts',
  evicted: 'was dropped by the network and no longer counts',
  reorged: 'was removed from its block and does not count for now',
};

const STARTED = 'actor.started';

function wordsOf({ event, outcome }: TimelineSource, input: TimelineInput): string {
  if (event.type === STARTED) return 'The payment was created and its rate locked';
  if (migratedSnapshotOf(event) !== null)
    return 'Moved to another version of the payment chart, which changed the status';
  const words = Object.hasOwn(WORDS, event.type)
    ? // The type says which fields may be there; each sentence can do without them.
      (WORDS[event.type as TransactionEvent['type']] as (event: object, input: TimelineInput) => string)(event, input)
    : `An event unknown to this version (${event.type})`;
  if (outcome === 'failed') return `${words}; it could not be processed and became a dead letter`;
  return outcome === 'ignored' ? `${words}; it arrived too late and changed nothing` : words;
}

function actorOf({ event, eventId }: TimelineSource, { startedBy }: TimelineInput): TimelineActor {
  if (isByOperator(eventId)) return { kind: 'operator' };
  if (event.type === STARTED) return { kind: startedBy };
  if (event.type.startsWith('chain.')) return { kind: 'chain' };
  if (event.type.startsWith('timer.')) return { kind: 'clock' };
  const userId = textIn(event, 'by');
  if (event.type.startsWith('merchant.') && userId !== null) {
    return isId('key', userId) ? { kind: 'shop' } : { kind: 'person', userId };
  }
  // The command line names no operator.
  return { kind: migratedSnapshotOf(event) !== null && userId !== null ? 'operator' : 'service' };
}

/** Remembers the last report of each output, so that a repeated one is recognised. */
function isNotable({ event, outcome }: TimelineSource, statuses: Map<string, string>): boolean {
  if (outcome === 'failed' || event.type.startsWith('merchant.')) return true;
  if (outcome === 'ignored' || migratedSnapshotOf(event) !== null) return false;
  const outputId = textIn(event, 'outputId');
  if (outputId === null) return event.type !== 'timer.depth_reached';
  const status = JSON.stringify([event.type, event.blockHash, event.reason]);
  if (statuses.get(outputId) === status) return false;
  statuses.set(outputId, status);
  return true;
}

function amountIn(event: { readonly amountBaseUnits?: string }, { crypto }: TimelineInput): string {
  return coins(event.amountBaseUnits, crypto);
}

function coins(baseUnits: string | undefined, crypto: CryptoSymbol): string {
  if (baseUnits === undefined || !/^\d+$/.test(baseUnits)) return `An unknown amount of ${crypto}`;
  return `${formatCoins(BigInt(baseUnits), ASSETS[crypto].decimals)} ${crypto}`;
}

function confirmations({ confirmationsRequired: count }: TimelineInput): string {
  return count === 1 ? '1 confirmation' : `${count} confirmations`;
}

function textIn(event: object, name: string): string | null {
  const value: unknown = (event as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

function publicStateIn(state: string): PublicState | null {
  try {
    return publicStateOf(state);
  } catch {
    // A state of another version: the previous public state is kept.
    return null;
  }
}
