import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePostgres } from '../../support/database/test-database.ts';
import type { ReceivedSpan } from '../../support/outside/otlp-receiver.ts';
import {
  CUSTOMER_EMAIL,
  type LoggedLine,
  startTracingHarness,
  type TracingHarness,
  webhookArrives,
} from './harness.ts';

const CALLER_SPAN = '00f067aa0ba902b7';
const CALLER_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CREATE = {
  crypto: 'LTC',
  amount: 25,
  customer_email: CUSTOMER_EMAIL,
  metadata: { note: 'a secret wish' },
};

let harness: TracingHarness | undefined;

/** One payment, created in one process and processed in another, over Postgres and NATS. */
describePostgres('a payment in two processes', () => {
  let transactionId: string;
  let createRequestId: string;
  let lines: LoggedLine[];

  beforeAll(async () => {
    harness = await startTracingHarness();
    const traceparent = `00-${CALLER_TRACE}-${CALLER_SPAN}-01`;
    const created = await harness.post('/transactions/create', CREATE, { traceparent });
    expect(created.status).toBe(201);
    transactionId = created.data.transaction_id;
    createRequestId = created.headers.get('x-request-id') ?? '';
    await webhookArrives(harness, 'payment.created');
    for (const action of ['pay', 'confirm']) await harness.post(`/transactions/${transactionId}/simulate`, { action });
    await webhookArrives(harness, 'payment.completed');
    // A process ends and sends its open spans before it exits.
    expect(await harness.stop()).toEqual([0, 0]);
    lines = harness.logLines();
  }, 120_000);
  afterAll(() => harness?.remove());

  const spans = () => harness?.collector.spans ?? [];

  test('is one trace from the request to the webhook, each span a child of its cause', () => {
    const [request] = spans().filter(({ name }) => name === 'POST /v1/transactions/create');
    expect(request).toMatchObject({
      parentSpanId: '',
      kind: 2,
      status: 0,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/transactions/create',
        'http.response.status_code': 201,
        'quittance.request.id': createRequestId,
        'quittance.merchant.id': harness?.secrets.merchant_id,
      },
      resource: { 'service.name': 'quittance', 'quittance.roles': 'api' },
    });
    const trace = spans().filter(({ traceId }) => traceId === request?.traceId);
    const attempt = trace.find(({ name }) => name === 'webhook attempt');
    expect(pathTo(attempt, trace)).toEqual([
      'POST /v1/transactions/create @api',
      'engine start @api',
      'publish webhook-send @api',
      'receive webhook-send @worker',
      'webhook attempt @worker',
    ]);
    expect(attempt).toMatchObject({
      kind: 3,
      attributes: {
        'server.address': '127.0.0.1',
        'http.response.status_code': 200,
        'quittance.attempt': 1,
        'quittance.webhook.event': 'payment.created',
        'quittance.merchant.id': harness?.secrets.merchant_id,
      },
    });
    const started = trace.find(
      ({ spanId }) => spanId === trace.find(({ name }) => name === 'publish webhook-send')?.parentSpanId,
    );
    expect(started?.attributes).toMatchObject({
      'quittance.actor.id': transactionId,
      'quittance.actor.kind': 'transaction',
      'quittance.event.outcome': 'started',
      'quittance.batch.size': 1,
      'quittance.batch.wait_ms': expect.any(Number),
      'quittance.batch.commit_ms': expect.any(Number),
    });
    // No span is missing: every parent id exists.
    const ids = new Set(trace.map(({ spanId }) => spanId));
    expect(trace.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId))).toEqual([]);
  });

  test("links the caller's span: an external caller neither joins a trace nor decides on sampling", () => {
    const [request] = spans().filter(({ name }) => name === 'POST /v1/transactions/create');
    expect(request?.links).toEqual([CALLER_SPAN]);
    expect(request?.traceId).not.toBe(CALLER_TRACE);
    expect(spans().filter(({ traceId }) => traceId === CALLER_TRACE)).toEqual([]);
  });

  test('continues in the trace of the request that completed it, not in one of the timer', () => {
    const attempt = spans().find(
      ({ name, attributes }) =>
        name === 'webhook attempt' && attributes['quittance.webhook.event'] === 'payment.completed',
    );
    const trace = spans().filter(({ traceId }) => traceId === attempt?.traceId);
    expect(pathTo(attempt, trace)[0]).toBe('POST /v1/transactions/:transaction_id/simulate @api');
  });

  test('exposes no trace to the merchant, and no secret in a span', () => {
    for (const { headers, isServiceSignatureValid } of harness?.receiver.requests ?? []) {
      expect(isServiceSignatureValid).toBe(true);
      expect(Object.keys(headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
        'x-service-attempt',
        'x-service-event',
        'x-service-mode',
        'x-service-signature',
        'x-webhook-id',
      ]);
    }
    const sent = [...(harness?.collector.bodies ?? []), ...lines.map((line) => JSON.stringify(line))].join('\n');
    for (const secret of [...(harness?.confidential ?? []), 'a secret wish']) expect(sent).not.toContain(secret);
    expect(harness?.collector.authorizations[0]).toBe(`Basic ${btoa('collector:pa55word')}`);
  });

  test('is found in the logs of both processes by request id and actor id', () => {
    const traceId = spans().find(({ name }) => name === 'POST /v1/transactions/create')?.traceId;
    const caused = lines.filter(({ requestId }) => requestId === createRequestId);
    const sent = caused.map(({ role, msg, kind, event }) => [role, msg, kind, event].filter(Boolean).join(' '));
    expect(sent.toSorted()).toEqual([
      'api an actor processed an event transaction actor.started',
      'worker an actor processed an event delivery sender.attempt_succeeded',
      'worker webhook attempt made',
    ]);
    for (const line of caused) {
      expect(line).toMatchObject({ traceId, merchantId: harness?.secrets.merchant_id, actorId: expect.any(String) });
    }
    const states = lines.filter(({ actorId }) => actorId === transactionId).map(({ event }) => event);
    expect(states[0]).toBe('actor.started');
    expect(states).toContain('chain.output_confirmed');
    // Every line about an actor has its id; lines without a kind are about the process.
    const actors = new Set(lines.filter(({ kind }) => kind !== undefined).map(({ actorId }) => actorId));
    expect([...actors].filter((id) => typeof id !== 'string')).toEqual([]);
    const nameless = lines.filter((line) => line.requestId !== undefined && line.actorId === undefined);
    expect(nameless).toEqual([]);
  });
});

// Helpers

/** The spans from the root to this one. */
function pathTo(span: ReceivedSpan | undefined, trace: readonly ReceivedSpan[]): string[] {
  if (span === undefined) return [];
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return [...pathTo(parent, trace), `${span.name} @${span.resource['quittance.roles']}`];
}
