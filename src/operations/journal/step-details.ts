import { type Kysely, sql } from 'kysely';
import {
  ASSETS,
  type MerchantNotification,
  scheduleMachine,
  type TransactionContext,
  transactionMachine,
} from '../../../machines/index.ts';
import { paymentEventId } from '../../payments/index.ts';
import type { Database } from '../../platform/db/index.ts';
import {
  type ActorKind,
  createStepTracer,
  findActorRow,
  type JournalEntry,
  type KindRegistry,
  migratedSnapshotOf,
  readJournal,
  restoreSnapshot,
  type TracedStep,
} from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { webhookEventId } from '../../webhooks/index.ts';
import type { CoinUnit, StepDelivery, StepDetail } from '../types.ts';
import { actorNotFound, toStep } from './journal.ts';
import { changesBetween } from './json-changes.ts';

/** A journal entry without the fields that a fold does not need. */
type FoldableEntry = Omit<JournalEntry, 'version'>;

/**
 * An actor's state after one step, computed by folding its journal up to there with its current
 * chart, with the deliveries this step caused. Throws `ACTOR_NOT_FOUND`, and `STEP_NOT_FOUND` when
 * the journal has no such step.
 */
export async function readStepDetail(
  { db, kinds }: { readonly db: Kysely<Database>; readonly kinds: KindRegistry },
  actorId: string,
  sequence: number,
): Promise<StepDetail> {
  const [actor, journal] = await Promise.all([findActorRow(db, actorId), readJournal(db, actorId)]);
  if (actor === null) throw actorNotFound(actorId);
  const stepDetail = stepDetailOf(kinds.get(actor.kind, actor.version), journal, sequence);
  const subject = { id: actorId, kind: actor.kind };
  const [deliveries, byEmail] = await Promise.all([
    findStepDeliveries(db, subject, stepDetail),
    findEmailOf(db, stepDetail.step.event),
  ]);
  return { ...stepDetail, deliveries, byEmail };
}

/**
 * The state after every step of a journal, oldest first. Pure. Ignored and
 * failed entries change nothing.
 */
export function* stepDetailsOf(kind: ActorKind, journal: readonly FoldableEntry[]): Generator<StepDetail> {
  const tracer = createStepTracer(kind);
  const visited = new Map<string, number>();
  const taken = new Map<string, number>();
  let snapshot: TracedStep['snapshot'] | null = null;
  for (const entry of journal) {
    const before: unknown = snapshot === null ? {} : plain(snapshot.context);
    let effects: TracedStep['effects'] = [];
    const hasMoved = entry.outcome === 'started' || entry.outcome === 'applied';
    if (hasMoved) {
      const migrated = migratedSnapshotOf(entry.event);
      const traced: TracedStep =
        migrated !== null
          ? { snapshot: restoreSnapshot(kind, migrated), effects: [], taken: [], entered: [] }
          : snapshot === null
            ? tracer.start(entry.event.input)
            : tracer.step(snapshot, entry.event);
      snapshot = traced.snapshot;
      effects = traced.effects;
      for (const path of traced.entered) visited.set(path, (visited.get(path) ?? 0) + 1);
      for (const id of traced.taken) taken.set(id, (taken.get(id) ?? 0) + 1);
    }
    const context = snapshot === null ? {} : plain(snapshot.context);
    yield {
      step: toStep(entry),
      byEmail: null,
      context,
      changes: hasMoved ? changesBetween(before, context) : [],
      effects,
      visited: [...visited].map(([path, count]) => ({ path, count })),
      taken: [...taken].map(([transitionId, count]) => ({ transitionId, count })),
      coin: coinUnitOf(context),
      deliveries: [],
    };
  }
}

/** As it would be stored in the database. */
export function plain(context: unknown): unknown {
  return JSON.parse(JSON.stringify(context));
}

/** The deliveries of the webhooks that one step of an actor caused, in their present state. */
async function findStepDeliveries(
  db: Kysely<Database>,
  { id, kind }: { readonly id: string; readonly kind: string },
  { effects, context }: Pick<StepDetail, 'effects' | 'context'>,
): Promise<StepDelivery[]> {
  const eventIds = effects
    .filter(({ type }) => type === 'notifyMerchant')
    .map(({ params }) => {
      // The chart types the parameters of its effects; the ids of their webhooks are derived.
      if (kind === transactionMachine.id)
        return paymentEventId(id, params as MerchantNotification, context as TransactionContext);
      if (kind === scheduleMachine.id) return webhookEventId(id, params as Parameters<typeof webhookEventId>[1]);
      return null;
    });
  const webhookEventIds = eventIds.filter((eventId) => eventId !== null);
  if (webhookEventIds.length === 0) return [];
  const { rows } = await sql<StepDelivery>`
    select id, event, state, is_owed as "isOwed" from webhook_delivery
    where webhook_event_id = any(${webhookEventIds}::text[]) order by created_at, id limit ${MAX_DELIVERIES}`.execute(
    db,
  );
  return rows;
}

/** The email of the user who sent an event; null for other senders and removed users. */
async function findEmailOf(db: Kysely<Database>, event: unknown): Promise<string | null> {
  if (typeof event !== 'object' || event === null || !('by' in event) || typeof event.by !== 'string') return null;
  const user = await db.selectFrom('merchant_user').select('email').where('id', '=', event.by).executeTakeFirst();
  return user?.email ?? null;
}

/** The coin of the amounts in a context; null for a context without one. */
export function coinUnitOf(context: unknown): CoinUnit | null {
  if (typeof context !== 'object' || context === null || !('crypto' in context)) return null;
  const asset = Object.values(ASSETS).find(({ symbol }) => symbol === context.crypto);
  return asset === undefined ? null : { symbol: asset.symbol, decimals: asset.decimals };
}

// Helpers

/** As `readStepDetail`, from a loaded journal. Pure. Throws `STEP_NOT_FOUND`. */
function stepDetailOf(kind: ActorKind, journal: readonly FoldableEntry[], sequence: number): StepDetail {
  for (const stepDetail of stepDetailsOf(kind, journal)) if (stepDetail.step.sequence === sequence) return stepDetail;
  throw new TerminalError('STEP_NOT_FOUND', `The journal has no step ${sequence}`, { field: 'sequence' });
}

/** More endpoints than a merchant may have. */
const MAX_DELIVERIES = 200;
