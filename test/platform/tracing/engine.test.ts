import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTracedBus } from '../../../src/platform/bus/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { runInNewContext } from '../../../src/platform/request-context.ts';
import { openTracing, type Tracing } from '../../../src/platform/tracing/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/outside/otlp-receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { createTestBus, newActorId, type Runtime, startRuntime } from '../../support/service/engine.ts';
import { ANNOUNCEMENTS, createLedgerTable } from '../../support/service/engine-charts.ts';
import type { LogLine } from '../../support/service/service.ts';
import { silentLog } from '../../support/silent-log.ts';

/** Callers whose commands share one commit. */
const CALLERS = 20;

describeDatabases('an engine with tracing', (database) => {
  let collector: OtlpReceiver;
  let tracing: Tracing;
  let runtime: Runtime;
  const lines: LogLine[] = [];

  beforeAll(async () => {
    await createLedgerTable(database());
    collector = await startOtlpReceiver();
    tracing = await openTracing({ url: collector.url, sample: 1, roles: ['worker'], log: silentLog });
    const { tracer } = tracing;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
    runtime = await startRuntime({
      connection: database(),
      clock: systemClock,
      tracer,
      log: createLogger({ level: 'debug', destination }),
      bus: createTracedBus(createTestBus(database()), { tracer, system: 'quittance' }),
    });
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterAll(async () => {
    await runtime?.stop();
    await tracing?.close();
    await collector?.close();
  });

  const find = (name: string, actorId: string, event?: string) =>
    collector.spans.filter(({ name: own, attributes }) => {
      const isOfActor = attributes['quittance.actor.id'] === actorId;
      return own === name && isOfActor && (event === undefined || attributes['quittance.event.type'] === event);
    });

  test('separates the callers of one batch, in spans, messages and log lines', async () => {
    const callers = Array.from({ length: CALLERS }, () => ({ requestId: newId('req'), actorId: newActorId() }));
    await Promise.all(
      callers.map(({ requestId, actorId }) =>
        runInNewContext({ requestId }, () =>
          tracing.tracer.span(`request ${requestId}`, { kind: 'server', attributes: {} }, async () => {
            await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
            await runtime.engine.deliver({ actorId, eventId: 'book', event: { type: 'book', amount: 1 } });
          }),
        ),
      ),
    );
    await vi.waitFor(() => {
      for (const { actorId } of callers) expect(find('engine deliver', actorId)).toHaveLength(1);
      expect(rootsOf(collector).filter(({ name }) => name.startsWith('request '))).toHaveLength(CALLERS);
    }, POLLING);

    for (const { requestId, actorId } of callers) {
      const own = lines.filter((line) => line.actorId === actorId);
      expect(own.map((line) => [line.event, line.requestId])).toEqual([
        ['actor.started', requestId],
        ['book', requestId],
      ]);
      const request = collector.spans.find(({ name }) => name === `request ${requestId}`);
      expect(own.map((line) => line.traceId)).toEqual([request?.traceId, request?.traceId]);
      const [deliver] = find('engine deliver', actorId);
      expect(deliver?.parentSpanId).toBe(request?.spanId);
      expect(deliver?.attributes).toMatchObject({
        'quittance.event.outcome': 'applied',
        'quittance.actor.state': 'open',
      });
      const announced = collector.spans.filter(({ name, parentSpanId }) => {
        return name === `publish ${ANNOUNCEMENTS}` && parentSpanId === deliver?.spanId;
      });
      expect(announced.map(({ traceId }) => traceId)).toEqual([request?.traceId]);
    }
    const sizes = callers.map(({ actorId }) =>
      Number(find('engine deliver', actorId)[0]?.attributes['quittance.batch.size']),
    );
    // Otherwise no batch had more than one caller to keep apart.
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  test('starts a new trace when a timer fires, whichever trace set the timer', async () => {
    const actorId = newActorId();
    await runInNewContext({ requestId: newId('req') }, async () => {
      await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
      await runtime.engine.deliver({ actorId, eventId: 'remind', event: { type: 'remind', inMs: 0 } });
    });
    const fired = () => find('engine deliver', actorId, 'timer.reminder_due');
    await vi.waitFor(() => expect(fired()).toHaveLength(1), POLLING);
    await vi.waitFor(() => {
      const root = rootsOf(collector).find(({ traceId }) => traceId === fired()[0]?.traceId);
      expect(root?.name).toBe('publish actor-ledger');
    }, POLLING);
    const sent = lines.filter((line) => line.event === 'timer.reminder_due' && line.actorId === actorId);
    expect(sent.map((line) => line.requestId)).toEqual([undefined]);
  });

  test('continues the trace of a message that a sweep finds in the outbox, its data unchanged', async () => {
    const actorId = newActorId();
    const requestId = newId('req');
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const data = JSON.stringify({ actorId, eventId: 'left behind', event: { type: 'book', amount: 3 } });
    await sql`
      insert into outbox_message (id, queue, partition, data, trace, created_at)
      values (${`left:${actorId}`}, 'actor-ledger', 0, ${data}::jsonb, ${`${trace} ${requestId}`}, now() - interval '1 hour')`.execute(
      database().db,
    );
    const swept = () => find('engine deliver', actorId, 'book');
    await vi.waitFor(() => expect(swept()).toHaveLength(1), POLLING);
    expect(swept()[0]?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    const published = collector.spans.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331');
    expect(published?.name).toBe('publish actor-ledger');
    expect(lines.find((line) => line.actorId === actorId && line.event === 'book')?.requestId).toBe(requestId);
  });

  test('marks the span of a dead-lettered event, and logs it with the request it belongs to', async () => {
    const actorId = newActorId();
    const requestId = newId('req');
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const poison = { actorId, eventId: 'poison', event: { type: 'book', amount: 666 } };
    await runInNewContext({ requestId, merchantId: 'mer_1' }, () => runtime.engine.deliver(poison));
    await vi.waitFor(() => expect(find('engine deliver', actorId)).toHaveLength(1), POLLING);
    expect(find('engine deliver', actorId)).toMatchObject([
      { status: 2, attributes: { 'quittance.event.outcome': 'failed' } },
    ]);
    expect(lines.filter(({ msg }) => msg === 'an event became a dead letter')).toMatchObject([
      { actorId, requestId, merchantId: 'mer_1', messageId: `${actorId}:poison` },
    ]);
  });
});

// Helpers

function rootsOf({ spans }: Pick<OtlpReceiver, 'spans'>): ReceivedSpan[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === '');
}
