import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../src/db/index.ts';
import { addConsequences, type Consequences, consequencesOf, noConsequences } from '../../src/engine/consequences.ts';
import { foldEvent, foldStart, type LiveActor } from '../../src/engine/fold.ts';
import { findStarted, insertActors, updateActors } from '../../src/engine/sql/actors.ts';
import { appendJournal, findAccepted } from '../../src/engine/sql/journal.ts';
import { insertOutbox } from '../../src/engine/sql/outbox.ts';
import { planByIndex } from '../../src/engine/sql/plan.ts';
import { changeTimers } from '../../src/engine/sql/timers.ts';
import type { ActorKind, EventCommand, OutgoingMessage, StartCommand, Step } from '../../src/engine/types.ts';
import type { PaymentCommands } from '../support/workload.ts';

/**
 * The ceiling: the statements of a batch without statechart, validation or fold. The writes of each
 * of the three steps are recorded once from a real payment and then only get new ids, so the rows
 * have their real sizes.
 */
export interface BareBatches {
  run(commands: readonly (StartCommand | EventCommand)[]): Promise<readonly OutgoingMessage[]>;
}

type Stage = 0 | 1 | 2;
interface Template {
  readonly actor: LiveActor;
  readonly step: Step;
  readonly text: string;
}

export function createBareBatches(db: Kysely<Database>, kind: ActorKind, sample: PaymentCommands): BareBatches {
  const templates = recordTemplates(kind, sample);

  async function runIn(
    trx: Transaction<Database>,
    commands: readonly (StartCommand | EventCommand)[],
  ): Promise<Consequences> {
    await planByIndex(trx);
    const starts = commands.filter((command): command is StartCommand => 'input' in command);
    const events = commands.filter((command): command is EventCommand => 'eventId' in command);
    const fresh: LiveActor[] = [];
    const steps: { kind: ActorKind; step: Step }[] = [];
    const wanted = noConsequences();
    if (starts.length > 0) {
      await findStarted(trx, starts);
      await kind.prepare?.(
        trx,
        starts.map(({ actorId, input, attachment }) => ({ actorId, input, attachment: attachment ?? null })),
      );
      for (const { actorId, attachment } of starts) {
        const { actor, step } = stamp(templates[0], actorId, null);
        fresh.push({ ...actor, isNew: true });
        steps.push({ kind, step: { ...step, attachment } });
      }
    }
    const moved: LiveActor[] = [];
    if (events.length > 0) {
      const ids = events.map((event) => event.actorId);
      await sql`
        select id, kind, version, state, snapshot, sequence, start_key, clock_offset_ms, created_at, updated_at,
          state_entered_at
        from actor where id = any(${ids}::text[]) order by id for update`.execute(trx);
      await findAccepted(trx, events);
      for (const event of events) {
        const { actor, step } = stamp(templates[stageOf(event)], event.actorId, event);
        moved.push({ ...actor, isNew: false });
        steps.push({ kind, step });
      }
    }
    for (const { step } of steps) addConsequences(wanted, consequencesOf(kind, step));
    await insertActors(trx, fresh);
    await updateActors(trx, moved);
    await appendJournal(trx, steps, () => templates[0].actor.createdAt);
    await changeTimers(trx, [...wanted.timers.values()], { clockOffsetOf: () => 0, finished: new Set() });
    await insertOutbox(trx, wanted.messages);
    await kind.project?.(
      trx,
      steps.map(({ step }) => step as Step<never>),
    );
    return wanted;
  }

  return {
    run: async (commands) => (await db.transaction().execute((trx) => runIn(trx, commands))).messages,
  };
}

// Helpers

function recordTemplates(kind: ActorKind, { start, events }: PaymentCommands): readonly [Template, Template, Template] {
  const now = Date.now();
  const input = { ...start.input, depositAddress: 'rltc1qbenchbenchbenchbenchbenchbenchbenchbench' };
  const { actor, step } = foldStart(kind, { ...start, input, attachment: start.attachment ?? null }, now);
  const take = (taken: Step): Template => {
    const plain = { value: actor.snapshot.value, context: actor.snapshot.context, status: actor.snapshot.status };
    return { actor: { ...actor }, step: taken, text: JSON.stringify({ plain, step: taken }) };
  };
  const opened = take(step);
  const seen = take(foldEvent(actor, events[0], now));
  const confirmed = take(foldEvent(actor, events[1], now));
  return [opened, seen, confirmed];
}

/** The template under another transaction and output id. */
function stamp(template: Template, actorId: string, event: EventCommand | null): { actor: LiveActor; step: Step } {
  const { plain, step } = JSON.parse(template.text.replaceAll(template.actor.id, actorId)) as {
    plain: LiveActor['snapshot'];
    step: Step;
  };
  const eventId = event?.eventId ?? step.eventId;
  return { actor: { ...template.actor, id: actorId, snapshot: plain }, step: { ...step, eventId } };
}

function stageOf({ event }: EventCommand): Stage {
  return event.type === 'chain.output_seen' ? 1 : 2;
}
