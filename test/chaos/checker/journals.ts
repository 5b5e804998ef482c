import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, transition } from 'xstate';
import { deliveryMachine, type OutputRecord, publicStateOf, transactionMachine } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { type Finding, finding } from './violation.ts';

interface ActorRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly sequence: number;
  readonly snapshot: { readonly value: unknown; readonly context: unknown; readonly status: string };
  readonly steps: readonly { readonly sequence: number; readonly outcome: string; readonly event: JournalEvent }[];
  readonly shown: Shown | null;
}

type JournalEvent = { readonly type: string; readonly input?: unknown } & Readonly<Record<string, unknown>>;

interface Shown {
  readonly status: string;
  readonly exception: string | null;
  readonly paid: string;
}

const ACTORS_PER_READ = 300;
const MACHINES = { transaction: transactionMachine, delivery: deliveryMachine } as const;

/** Every journal must fold to its snapshot, and the rows derived from it must agree with it. */
export async function checkJournals(db: Kysely<Database>): Promise<Finding[]> {
  const folds: string[] = [];
  const projections: string[] = [];
  let cases = 0;
  for (let after = ''; ; ) {
    const actors = await readActors(db, after);
    for (const actor of actors) {
      folds.push(...misfolded(actor));
      projections.push(...misprojected(actor));
    }
    cases += actors.length;
    const last = actors.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return [
    finding('every journal is whole and folds to its snapshot', cases, folds),
    finding('what is shown equals the snapshot', cases, projections),
  ];
}

// Helpers

async function readActors(db: Kysely<Database>, after: string): Promise<ActorRow[]> {
  const { rows } = await sql<ActorRow>`
    select actor.id, actor.kind, actor.state, actor.sequence, actor.snapshot,
      (select json_agg(json_build_object('sequence', entry.sequence, 'outcome', entry.outcome, 'event', entry.event)
          order by entry.sequence) from journal_entry entry where entry.actor_id = actor.id) as steps,
      coalesce(
        (select json_build_object('status', status, 'exception', exception, 'paid', paid_base_units::text)
          from transaction where transaction.id = actor.id),
        (select json_build_object('status', state, 'exception', null, 'paid', '0')
          from webhook_delivery where webhook_delivery.id = actor.id)) as shown
    from actor where actor.id > ${after} order by actor.id limit ${ACTORS_PER_READ}`.execute(db);
  return rows;
}

function misfolded({ id, kind, sequence, snapshot, steps }: ActorRow): string[] {
  const isWhole = steps.length === sequence && steps.every((step, index) => step.sequence === index + 1);
  if (!isWhole) return [`the journal of ${id} has the entries ${steps.map((step) => step.sequence)} of ${sequence}`];
  const failed = steps
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ event }) => `${id} failed on ${event.type}`);
  return isDeepStrictEqual(fold(kind, steps), snapshot)
    ? failed
    : [...failed, `the journal of ${id} folds to something else`];
}

/** In the form in which the database stores it. */
function fold(kind: string, steps: ActorRow['steps']): unknown {
  const machine = MACHINES[kind as keyof typeof MACHINES] as unknown as AnyStateMachine;
  let snapshot: AnyMachineSnapshot | null = null;
  for (const { outcome, event } of steps) {
    if (outcome === 'started') [snapshot] = initialTransition(machine, event.input);
    else if (outcome === 'applied' && snapshot !== null) [snapshot] = transition(machine, snapshot, event);
  }
  const { value, context, status } = snapshot as unknown as ActorRow['snapshot'];
  return JSON.parse(JSON.stringify({ value, context, status })) as unknown;
}

function misprojected({ id, kind, state, snapshot, shown }: ActorRow): string[] {
  if (shown === null) return [`${id} is shown nowhere`];
  const expected: Shown =
    kind === 'transaction' ? ofTransaction(state, snapshot) : { status: state, exception: null, paid: '0' };
  return isDeepStrictEqual(shown, expected)
    ? []
    : [`${id} is shown as ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`];
}

function ofTransaction(state: string, snapshot: ActorRow['snapshot']): Shown {
  const { outputs } = snapshot.context as { readonly outputs: readonly OutputRecord[] };
  const live = outputs.filter(({ presence }) => presence !== 'gone');
  const paid = live.reduce((sum, { amountBaseUnits }) => sum + BigInt(amountBaseUnits), 0n);
  return { ...publicStateOf(state), paid: String(paid) };
}
