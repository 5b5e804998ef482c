import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../machines/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { type EndpointHealth, readEndpointHealth } from '../../../src/webhooks/index.ts';
import { START_MS } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { addEndpoint, createMerchant } from '../harness.ts';

/** One POST; attempts follow each other whichever delivery they belong to. */
interface Try {
  readonly delivery: number;
  readonly durationMs: number;
  readonly outcome: 'taken' | 'status' | 'timeout' | 'held_back';
}

const tries: fc.Arbitrary<readonly Try[]> = fc.array(
  fc.record({
    delivery: fc.nat({ max: 5 }),
    durationMs: fc.integer({ min: 0, max: 15_000 }),
    outcome: fc.constantFrom('taken', 'status', 'timeout', 'held_back'),
  }),
  { maxLength: 12 },
);

describeDatabases('the health of endpoints', (database) => {
  async function shop() {
    const merchantId = await createMerchant(database());
    const url = `https://shop.example/${randomBytes(8).toString('hex')}`;
    return { merchantId, endpointId: (await addEndpoint(database(), { merchantId, url })).id };
  }
  type Shop = Awaited<ReturnType<typeof shop>>;

  /** Inserts attempts a minute apart and the resulting deliveries; returns the deliveries' ids. */
  async function keep({ merchantId, endpointId }: Shop, made: readonly Try[]): Promise<ReadonlyMap<number, string>> {
    const { db } = database();
    const ids = new Map<number, string>();
    for (const number of new Set(made.map(({ delivery }) => delivery))) {
      const [eventId, deliveryId] = [newId('evt'), newId('dlv')];
      ids.set(number, deliveryId);
      const createdAt = new Date(START_MS + number);
      const event = 'payment.completed';
      const own = made.flatMap((each, index) => (each.delivery === number ? [{ ...each, index }] : []));
      const taken = own.find(({ outcome }) => outcome === 'taken');
      await db
        .insertInto('webhook_event')
        .values({
          id: eventId,
          merchant_id: merchantId,
          transaction_id: null,
          event,
          mode: 'live',
          body: '{}',
          created_at: createdAt,
        })
        .execute();
      await db
        .insertInto('webhook_delivery')
        .values({
          id: deliveryId,
          webhook_event_id: eventId,
          endpoint_id: endpointId,
          event,
          state: taken === undefined ? 'waiting' : 'delivered',
          attempt: own.length,
          created_at: createdAt,
          ended_at: taken === undefined ? null : new Date(endOf(taken)),
        })
        .execute();
      await db
        .insertInto('webhook_attempt')
        .values(
          own.map(({ outcome, durationMs, index }, attempt) => ({
            delivery_id: deliveryId,
            attempt: attempt + 1,
            started_at: new Date(START_MS + index * MINUTE_MS),
            duration_ms: durationMs,
            status: outcome === 'taken' ? 200 : outcome === 'status' ? 500 : null,
            failure: outcome === 'taken' ? null : outcome,
            failure_detail: outcome === 'taken' ? null : `it was ${outcome}`,
          })),
        )
        .execute();
    }
    return ids;
  }

  test('includes the newest success, the newest failure, and the number of failures since', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(tries, async (given) => {
        const made = untilTaken(given);
        const own = await shop();
        const ids = await keep(own, made);
        const healths = await readEndpointHealth(database(), [own.endpointId, 'whk_nobody']);
        expect([...healths.keys()]).toEqual([own.endpointId]);
        expect(healths.get(own.endpointId)).toEqual(healthAfter(made, ids));
      }),
      { numRuns: level.runs(25) },
    );
  });

  test('is separate for each endpoint', async () => {
    const [one, other] = [await shop(), await shop()];
    await keep(one, [{ delivery: 0, durationMs: 5, outcome: 'taken' }]);
    const healths = await readEndpointHealth(database(), [one.endpointId, other.endpointId]);
    expect(healths.get(one.endpointId)?.lastSuccessAt).toBe(START_MS + 5);
    expect(healths.get(other.endpointId)).toEqual({ lastSuccessAt: null, lastFailure: null, failuresInARow: 0 });
  });
});

// Helpers

/** A delivery that was accepted is over: drops its later tries. */
function untilTaken(made: readonly Try[]): readonly Try[] {
  const taken = new Set<number>();
  return made.filter(({ delivery, outcome }) => {
    if (taken.has(delivery)) return false;
    if (outcome === 'taken') taken.add(delivery);
    return true;
  });
}

function endOf({ index, durationMs }: { readonly index: number; readonly durationMs: number }): number {
  return START_MS + index * MINUTE_MS + durationMs;
}

/** A held-back attempt was never sent, and says nothing about the endpoint. */
function healthAfter(made: readonly Try[], ids: ReadonlyMap<number, string>): EndpointHealth {
  const placed = made.map((each, index) => ({ ...each, index }));
  const success = placed.findLast(({ outcome }) => outcome === 'taken');
  const failures = placed.filter(({ outcome }) => outcome === 'status' || outcome === 'timeout');
  const last = failures.at(-1);
  return {
    lastSuccessAt: success === undefined ? null : endOf(success),
    lastFailure:
      last === undefined
        ? null
        : {
            deliveryId: ids.get(last.delivery) ?? '',
            at: endOf(last),
            kind: last.outcome,
            status: last.outcome === 'status' ? 500 : null,
            detail: `it was ${last.outcome}`,
          },
    failuresInARow: failures.filter(({ index }) => index > (success?.index ?? -1)).length,
  };
}
