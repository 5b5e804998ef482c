import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  bindRequestContext,
  currentWork,
  inSpan,
  inWork,
  isTraceparent,
  readRequestContext,
  requestContext,
  resumeWork,
} from '../../src/platform/request-context.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const REQUEST = newId('req');

describe("a message's request context", () => {
  test('survives a round trip, with any subset of its fields', () => {
    const works = [
      {},
      { requestId: REQUEST },
      { trace: TRACE },
      { merchantId: 'mer_1' },
      { trace: TRACE, requestId: REQUEST, merchantId: 'mer_1' },
    ];
    for (const work of works) {
      const carried = inWork(work, requestContext);
      const again = inWork(readRequestContext(carried), () => [currentWork()?.facts, currentWork()?.trace]);
      expect(again).toEqual(inWork(work, () => [currentWork()?.facts, currentWork()?.trace]));
    }
    expect([requestContext(), inWork({}, requestContext), inWork({ actorId: 'only here' }, requestContext)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is read leniently: unknown parts are ignored and invalid ones dropped', () => {
    expect(readRequestContext(`${REQUEST} news_1 ${TRACE}`)).toMatchObject({ requestId: REQUEST, trace: TRACE });
    for (const foreign of ['', ' ', 'req_', 'req_<script>', '01-x-y-z', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]) {
      expect(readRequestContext(foreign)).toEqual({ trace: null, requestId: null, merchantId: null });
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
        inWork({ requestId }, async () => {
          await nextTurn();
          await inSpan(TRACE, async () => {
            await nextTurn();
            bindRequestContext({ actorId: `actor of ${requestId}` });
          });
          return [currentWork()?.facts.actorId, currentWork()?.trace];
        }),
      ),
    );
    expect(seen).toEqual([
      ['actor of a', null],
      ['actor of b', null],
    ]);
    expect(currentWork()).toBeNull();
  });

  test('can be cleared, captured and resumed later', () => {
    const work = inWork({ requestId: 'first' }, currentWork);
    inWork({ requestId: 'second' }, () => {
      expect(inWork(null, currentWork)).toBeNull();
      expect(resumeWork(null, currentWork)).toBeNull();
      expect(resumeWork(work, () => currentWork()?.facts.requestId)).toBe('first');
    });
  });

  test("is on every log line once, and the line's own fields take precedence", () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
    log.info('without context');
    inWork({ requestId: REQUEST, merchantId: 'mer_1', actorId: 'one', trace: TRACE }, () => {
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
