import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  bindRequestContext,
  currentContext,
  isTraceparent,
  parseContext,
  runInContext,
  runInNewContext,
  runInSpan,
  serializeContext,
} from '../../src/platform/request-context.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const REQUEST = newId('req');

describe("a message's request context", () => {
  test('survives a round trip, with any subset of its fields', () => {
    const contexts = [
      {},
      { requestId: REQUEST },
      { trace: TRACE },
      { merchantId: 'mer_1' },
      { trace: TRACE, requestId: REQUEST, merchantId: 'mer_1' },
    ];
    for (const context of contexts) {
      const carried = runInNewContext(context, serializeContext);
      const again = runInNewContext(parseContext(carried), () => [currentContext()?.ids, currentContext()?.trace]);
      expect(again).toEqual(runInNewContext(context, () => [currentContext()?.ids, currentContext()?.trace]));
    }
    expect([
      serializeContext(),
      runInNewContext({}, serializeContext),
      runInNewContext({ actorId: 'only here' }, serializeContext),
    ]).toEqual([null, null, null]);
  });

  test('is read leniently: unknown parts are ignored and invalid ones dropped', () => {
    expect(parseContext(`${REQUEST} news_1 ${TRACE}`)).toMatchObject({ requestId: REQUEST, trace: TRACE });
    for (const foreign of ['', ' ', 'req_', 'req_<script>', '01-x-y-z', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]) {
      expect(parseContext(foreign)).toEqual({ trace: null, requestId: null, merchantId: null });
    }
  });

  test('accepts only a well-formed traceparent', () => {
    expect(isTraceparent(TRACE)).toBe(true);
    const wrong = [
      TRACE.toUpperCase(),
      `${TRACE}-00`,
      TRACE.slice(1),
      TRACE.replace('00f067aa0ba902b7', '0'.repeat(16)),
    ];
    expect(wrong.filter(isTraceparent)).toEqual([]);
  });
});

describe('the bound request context', () => {
  test('survives awaits, is isolated from concurrent requests, and keeps facts noted in an inner span', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((requestId) =>
        runInNewContext({ requestId }, async () => {
          await nextTurn();
          await runInSpan(TRACE, async () => {
            await nextTurn();
            bindRequestContext({ actorId: `actor of ${requestId}` });
          });
          return [currentContext()?.ids.actorId, currentContext()?.trace];
        }),
      ),
    );
    expect(seen).toEqual([
      ['actor of a', null],
      ['actor of b', null],
    ]);
    expect(currentContext()).toBeNull();
  });

  test('can be cleared, captured and resumed later', () => {
    const context = runInNewContext({ requestId: 'first' }, currentContext);
    runInNewContext({ requestId: 'second' }, () => {
      expect(runInContext(null, currentContext)).toBeNull();
      expect(runInContext(null, currentContext)).toBeNull();
      expect(runInContext(context, () => currentContext()?.ids.requestId)).toBe('first');
    });
  });

  test("is on every log line once, and the line's own fields take precedence", () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
    log.info('without context');
    runInNewContext({ requestId: REQUEST, merchantId: 'mer_1', actorId: 'one', trace: TRACE }, () => {
      log.info('of somebody');
      log.info({ actorId: 'another' }, 'about another');
      log.child({ requestId: REQUEST }).info('said already');
    });
    const common = { requestId: REQUEST, merchantId: 'mer_1', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' };
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed[0]).not.toHaveProperty('requestId');
    expect(parsed.slice(1)).toMatchObject([
      { ...common, actorId: 'one' },
      { ...common, actorId: 'another' },
      { ...common, actorId: 'one' },
    ]);
    expect(lines.map((line) => line.split('"requestId"').length - 1)).toEqual([0, 1, 1, 1]);
  });
});
