import fc from 'fast-check';
import type { ActorEvent } from '../../src/platform/engine/index.ts';
import { firstSeen, history } from '../machines/transaction/model/arbitraries.ts';
import { CLOSES_AT } from '../machines/transaction/terms.ts';
import type { Installation } from './installation.ts';

/** Possible events: chain observations, the close of the window, decisions, balance drops. */
export const transactionEvents: fc.Arbitrary<ActorEvent[]> = fc
  .tuple(
    history({ sightings: firstSeen, losses: true }),
    fc.array(
      fc.record({
        index: fc.nat({ max: 12 }),
        event: fc.constantFrom<ActorEvent>(
          { type: 'timer.window_closed', dueAt: CLOSES_AT + 40 * 86_400_000 },
          { type: 'chain.balance_dropped', missingBaseUnits: '10' },
          { type: 'merchant.confirmed', by: 'key_1' },
          { type: 'merchant.dismissed', by: 'key_1' },
          { type: 'timer.monitoring_ended', dueAt: CLOSES_AT + 90 * 86_400_000 },
        ),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([observed, others]) => {
    const events: ActorEvent[] = observed.map(({ at: _, ...event }) => event);
    for (const { index, event } of others) events.splice(index, 0, event);
    return events;
  });

/** Delivers these events to an actor, one after another. */
export async function deliverAll(
  { engine }: Installation,
  actorId: string,
  events: readonly ActorEvent[],
): Promise<void> {
  for (const [index, event] of events.entries()) await engine.deliver({ actorId, eventId: `e:${index}`, event });
}
