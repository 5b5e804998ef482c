import type { Kysely } from 'kysely';
import {
  confirmedBaseUnits,
  requiredBaseUnits,
  type TransactionContext,
  type TransactionException,
  type TransactionStatus,
} from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type Engine, findActorRow, findEntry, readJournal } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isStorable } from '../../platform/text.ts';
import { timelineOf } from '../detail/timeline.ts';
import { type Scope, transactionNotFound } from '../view/get-transaction.ts';
import { DECISION_EVENTS, type DecisionEvent, decisionsFor, isDecision, type PaymentDecision } from './decision.ts';

export interface DecideDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliverIf'>;
}

export interface DecisionRequest {
  readonly transactionId: string;
  readonly decision: PaymentDecision;
  /** For the timeline and the audit log: 1 to 500 characters. */
  readonly reason: string;
  /** Who decides: an opaque user or key id, never a name or email. */
  readonly by: string;
  /** The payment's `step` that the decision is based on. */
  readonly seenStep: number;
  /** One per click: repeating it is the same decision. */
  readonly requestId: string;
  /**
   * Called before a decision that completes the payment although fewer coins are confirmed than due
   * less tolerance. When it rejects, nothing is decided.
   */
  readonly confirmShortfall?: () => Promise<void>;
}

export const MAX_DECISION_REASON_CHARACTERS = 500;

/**
 * Applies a decision to a payment that waits for one, unless the payment has changed since
 * `seenStep`: there may be other coins now. Of two concurrent decisions the first wins. The audit
 * entry, the timeline and the settlement are written in the same commit, so a crash leaves all or
 * nothing, and a repeated request returns the first result. Throws a `TerminalError`:
 * `TRANSACTION_NOT_FOUND`, `INVALID_STATE` with what has changed, or with the status and what can
 * be decided; `REQUEST_REUSED`, `INVALID_REQUEST`.
 */
export async function decideTransaction(deps: DecideDeps, scope: Scope, request: DecisionRequest): Promise<void> {
  const { transactionId, decision, by, seenStep, confirmShortfall } = request;
  const event: DecisionEvent = { type: DECISION_EVENTS[decision], by, reason: requireReason(request.reason) };
  const eventId = `merchant:${request.requestId}`;
  const before = await requireCurrent(deps.db, scope, transactionId);
  // Checked first, so that a refusal leaves no journal entry; the chart rejects what races past
  // this.
  if (!decisionsFor(before).includes(decision)) {
    if (await wasCarriedOut(deps.db, { transactionId, eventId, event })) return;
    throw rejected(decision, before);
  }
  if (confirmShortfall !== undefined && (await isShort(deps.db, request))) await confirmShortfall();
  const command = { actorId: transactionId, eventId, event: { ...event }, expectedSequence: seenStep };
  const { outcome } = await deps.engine.deliverIf(command);
  if (outcome === 'applied') return;
  if (outcome === 'failed') {
    throw new TerminalError(
      'DECISION_FAILED',
      'The decision could not be applied; contact the operators of the service',
    );
  }
  if (outcome === 'stale') throw await movedOn(deps.db, transactionId, seenStep);
  if (outcome === 'duplicate' && (await wasCarriedOut(deps.db, { transactionId, eventId, event }))) return;
  throw rejected(decision, await requireCurrent(deps.db, scope, transactionId));
}

/** Journal entries read after the step; far more than are shown. */
const MAX_STEPS = 100;
const MAX_SENTENCES = 3;

/**
 * What happened to a payment since a step of its journal, in plain sentences, oldest first, capped
 * to the last few; empty when nothing noticeable did.
 */
async function changesSince(db: Kysely<Database>, transactionId: string, step: number): Promise<readonly string[]> {
  const journal = await readJournal(db, transactionId, { after: step, limit: MAX_STEPS });
  const row = await db
    .selectFrom('transaction')
    .select(['crypto', 'confirmations_required'])
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const input = {
    crypto: row.crypto,
    confirmationsRequired: row.confirmations_required,
    startedBy: 'shop',
  } as const;
  return timelineOf(journal, input)
    .slice(-MAX_SENTENCES)
    .map(({ words }) => words);
}

// Helpers

async function movedOn(db: Kysely<Database>, transactionId: string, seenStep: number): Promise<TerminalError> {
  const changes = await changesSince(db, transactionId, seenStep);
  const what = changes.length === 0 ? '' : `: ${changes.join('; ')}`;
  return new TerminalError(
    'INVALID_STATE',
    `The payment is past step ${seenStep}${what}. Review it again before you decide`,
    { field: 'seen_step' },
  );
}

/** The status of the payment, as far as decisions depend on it. */
interface DecidableState {
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
}

async function requireCurrent(db: Kysely<Database>, { merchantId, mode }: Scope, id: string): Promise<DecidableState> {
  const row = await db
    .selectFrom('transaction')
    .select(['status', 'exception'])
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .where('mode', '=', mode)
    .executeTakeFirst();
  if (row === undefined) throw transactionNotFound();
  return { status: row.status, exception: row.exception };
}

/** Whether the decision completes the payment with fewer confirmed coins than are required. */
async function isShort(
  db: Kysely<Database>,
  { transactionId, decision, seenStep }: Pick<DecisionRequest, 'transactionId' | 'decision' | 'seenStep'>,
): Promise<boolean> {
  if (decision !== 'mark_paid' && decision !== 'confirm') return false;
  const actor = await findActorRow(db, transactionId);
  // A later step may have fewer coins than this one.
  if (actor === null || seenStep > actor.sequence) return true;
  const context = actor.snapshot.context as TransactionContext;
  return confirmedBaseUnits(context) < requiredBaseUnits(context);
}

/** Whether this request was applied before. Throws `REQUEST_REUSED` if its id is another's. */
async function wasCarriedOut(
  db: Kysely<Database>,
  { transactionId, eventId, event }: { transactionId: string; eventId: string; event: DecisionEvent },
): Promise<boolean> {
  const entry = await findEntry(db, { actorId: transactionId, eventId });
  if (entry === null) return false;
  const known = entry.event;
  const isSame =
    isDecision(known) && known.type === event.type && known.by === event.by && known.reason === event.reason;
  if (isSame) return entry.outcome === 'applied';
  throw new TerminalError('REQUEST_REUSED', 'requestId was used for another decision; generate a new one for each', {
    field: 'requestId',
  });
}

function requireReason(reason: string): string {
  const text = reason.trim();
  const isFit = text !== '' && text.length <= MAX_DECISION_REASON_CHARACTERS && isStorable(text);
  if (isFit) return text;
  const message = `reason must explain the decision, in 1 to ${MAX_DECISION_REASON_CHARACTERS} characters`;
  throw new TerminalError('INVALID_REQUEST', message, { field: 'reason' });
}

const NEEDS: { readonly [D in PaymentDecision]: string } = {
  mark_paid: 'Only a late payment can be marked as paid',
  dismiss: 'Only a late payment can be dismissed',
  confirm: 'Only a payment under review can be confirmed',
  reject: 'Only a payment under review can be rejected',
};

const WORDS: { readonly [D in PaymentDecision]: string } = {
  mark_paid: 'mark it as paid',
  dismiss: 'dismiss the late coins',
  confirm: 'confirm it',
  reject: 'reject it',
};

function rejected(decision: PaymentDecision, current: DecidableState): TerminalError {
  const { status, exception } = current;
  const stands = exception === null ? status : `${status} with ${exception}`;
  const choices = decisionsFor(current).map((choice) => WORDS[choice]);
  const remedy = choices.length === 0 ? 'it needs no decision now' : `you can ${choices.join(' or ')}`;
  return new TerminalError('INVALID_STATE', `${NEEDS[decision]}; this one is ${stands}: ${remedy}`);
}
