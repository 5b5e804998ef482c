import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { openTracing } from '../../../src/platform/tracing/index.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/outside/otlp-receiver.ts';
import { level } from '../../support/run/level.ts';
import type { LogLine } from '../../support/service/service.ts';

let collector: OtlpReceiver | undefined;
afterEach(() => collector?.close());

/** More than the export queue holds. */
const MANY_SPANS = level.pick({ quick: 12_000, full: 20_000 });

async function open(response: 'take' | 'refuse' | 'hang', sample = 1) {
  collector = await startOtlpReceiver();
  collector.usually(response);
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  const log = createLogger({ level: 'debug', destination });
  const tracing = await openTracing({ url: collector.url, sample, roles: ['api'], log });
  const span = (name: string) =>
    tracing.tracer.span(name, { kind: 'internal', attributes: { text: 'shop@example.com' } }, async () => name);
  return { collector, tracing, span, lines };
}

describe('a collector that is down', () => {
  test('loses only spans, and is logged once, and again when it is back', async () => {
    const { collector, tracing, span, lines } = await open('refuse');
    expect(await span('lost')).toBe('lost');
    await waitFor(
      async () => lines[0] ?? null,
      () => 'nothing was logged',
    );
    await span('lost too');
    await waitFor(
      async () => (collector.requests >= 2 ? true : null),
      () => 'nothing more was sent',
    );
    collector.usually('take');
    await span('kept');
    await tracing.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
    expect(collector.spans[0]?.attributes).toEqual({ text: '[redacted]' });
    expect(lines.map(({ msg, reason, lost }) => [msg, reason ?? lost])).toEqual([
      ['traces cannot be exported and are dropped (check TRACES_URL)', 'it returned 400'],
      ['traces are exported again', 2],
    ]);
  });

  test('keeps a bounded number of spans, and delays a stop for a bounded time', async () => {
    const { collector, tracing, span } = await open('hang');
    await Promise.all(Array.from({ length: MANY_SPANS }, (_, index) => span(`span ${index}`)));
    await waitFor(
      async () => (collector.requests > 0 ? true : null),
      () => 'nothing was sent',
    );
    // Without the bound, this would hang forever.
    await tracing.close();
    expect(collector.spans).toEqual([]);
  });

  test('receives as many spans of a burst as fit once it answers: the rest is dropped', async () => {
    const { collector, tracing, span } = await open('take');
    await Promise.all(Array.from({ length: MANY_SPANS }, (_, index) => span(`span ${index}`)));
    await tracing.close();
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(collector.spans.length).toBeLessThan(MANY_SPANS / 2);
  });
});

test('a sample ratio of 0 records and sends nothing, and the traced work still runs', async () => {
  const { collector, tracing, span } = await open('take', 0);
  expect(await span('unseen')).toBe('unseen');
  await tracing.close();
  expect(collector.requests).toBe(0);
});

test('traced work that fails ends its span as failed with a code, and rejects as it would untraced', async () => {
  const { collector, tracing } = await open('take');
  const failure = new TypeError('shop@example.com has no key sk_live_abc');
  const failing = tracing.tracer.span('failing', { kind: 'internal', attributes: {} }, () => Promise.reject(failure));
  await expect(failing).rejects.toBe(failure);
  await tracing.close();
  expect(collector.spans).toMatchObject([{ name: 'failing', status: 2 }]);
  expect(collector.bodies.join('')).toContain('TypeError');
  expect(collector.bodies.join('')).not.toMatch(/shop@example|sk_live/);
});
