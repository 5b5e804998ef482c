import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { addConsequences, consequencesOf, noConsequences } from '../consequences.ts';
import { type LiveActor, stepOf } from '../fold.ts';
import { liveActorOf } from '../sql/actors.ts';
import { planByIndex } from '../sql/plan.ts';
import { writeSteps } from '../sql/write-steps.ts';
import type { ActorKind, Step } from '../types.ts';
import { readCandidates } from './candidates.ts';
import { type Candidate, examine, type MigrationComparison } from './examine.ts';
import { type MigrationRequester, migratedEvent, migratedEventId } from './migrated.ts';

export interface BatchToMove {
  readonly ids: readonly string[];
  readonly charts: { readonly from: ActorKind; readonly to: ActorKind };
  /** Differences that are allowed. */
  readonly agreed: ReadonlySet<string>;
  readonly requester?: MigrationRequester | undefined;
  /** Runs in the transaction that migrates them. */
  readonly withMove?: ((trx: Transaction<Database>, moved: number) => Promise<void>) | undefined;
}

export interface MoveResult {
  readonly moved: number;
  /** Not migrated: they fail, or have a difference that is not in `agreed`. */
  readonly left: number;
}

/**
 * Migrates some actors in one transaction. They are examined again under their locks, because their
 * journals may have grown. Timers and messages are unchanged, except for effects the target
 * declares.
 */
export function moveBatch(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  { ids, charts, agreed, requester, withMove }: BatchToMove,
): Promise<MoveResult> {
  return db.transaction().execute(async (trx) => {
    await planByIndex(trx);
    const candidates = await readCandidates(trx, { ids, version: charts.from.version, lock: true });
    const moves = candidates.flatMap((candidate) => {
      const verdict = examine(candidate, charts);
      return isAgreed(verdict, agreed) ? [moveOf(candidate, verdict, { ...charts, requester, now: clock.now() })] : [];
    });
    const consequences = noConsequences();
    for (const { step } of moves) addConsequences(consequences, consequencesOf(charts.to, step));
    const actors = new Map(moves.map(({ actor }) => [actor.id, actor]));
    await writeSteps(trx, { actors, steps: moves.map(({ step }) => ({ kind: charts.to, step })), consequences });
    if (moves.length > 0) {
      // `defineKind` erased the context type; these steps belong to this kind.
      await charts.to.project?.(
        trx,
        moves.map(({ step }) => step as Step<never>),
      );
    }
    await withMove?.(trx, moves.length);
    return { moved: moves.length, left: candidates.length - moves.length };
  });
}

// Helpers

type Movable = Extract<MigrationComparison, { outcome: 'same' | 'differs' }>;

function isAgreed(verdict: MigrationComparison, agreed: ReadonlySet<string>): verdict is Movable {
  return verdict.outcome !== 'fails' && verdict.differences.every((difference) => agreed.has(difference));
}

function moveOf(
  { row }: Candidate,
  { snapshot: stored, state, effects }: Movable,
  { from, to, requester, now }: BatchToMove['charts'] & Pick<BatchToMove, 'requester'> & { readonly now: number },
): { actor: LiveActor; step: Step } {
  const versions = { from: from.version, to: to.version };
  const at = Math.max(now + row.clock_offset_ms, row.updated_at);
  const sequence = row.sequence + 1;
  const times = { updated_at: at, state_entered_at: state === row.state ? row.state_entered_at : at };
  const actor = liveActorOf(to, { ...row, ...times, snapshot: stored, state, sequence, last_change: sequence });
  const event = { ...migratedEvent(versions, stored, requester), at };
  return { actor, step: stepOf(actor, { eventId: migratedEventId(versions), event, at }, 'applied', effects) };
}
