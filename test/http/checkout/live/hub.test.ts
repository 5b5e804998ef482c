import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '../../../../src/http/checkout/languages/choose-language.ts';
import { LOCALES } from '../../../../src/http/checkout/languages/locales.ts';
import {
  createHub,
  type Hub,
  MAX_LISTENERS,
  MAX_LISTENERS_PER_TRANSACTION,
} from '../../../../src/http/checkout/live/hub.ts';
import type { Update } from '../../../../src/http/checkout/pages/payment.ts';
import { etagOf } from '../../../../src/http/checkout/screen.ts';
import type { CustomerView } from '../../../../src/payments/index.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import { currentContext, runInNewContext } from '../../../../src/platform/request-context.ts';
import { POLLING } from '../../../support/polling.ts';
import { NOW, sampleTransaction } from '../samples.ts';

/** Transactions changed by the test, and a record of the queries. */
function createHarness() {
  const transactions = new Map<string, CustomerView>();
  const versionQuestions: string[][] = [];
  const listQuestions: string[][] = [];
  const lines: string[] = [];
  let now = NOW;
  let isBroken = false;
  const find = (ids: readonly string[]) => ids.flatMap((id) => transactions.get(id) ?? []);
  const hub = createHub({
    clock: { now: () => now },
    log: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    transactions: {
      async listVersions(ids) {
        versionQuestions.push([...ids]);
        if (isBroken) throw new Error('away');
        return find(ids);
      },
      async list(ids) {
        listQuestions.push([...ids]);
        return find(ids);
      },
    },
  });
  return {
    hub,
    versionQuestions,
    listQuestions,
    lines,
    put(id: string, changes: Partial<CustomerView> = {}) {
      const transaction = sampleTransaction({ ...transactions.get(id), id, ...changes });
      transactions.set(id, transaction);
      return etagOf(transaction, now);
    },
    advance(byMs: number) {
      now += byMs;
    },
    setBroken(value: boolean) {
      isBroken = value;
    },
  };
}

const SECOND_MS = 1_000;

let harness: ReturnType<typeof createHarness>;
beforeEach(() => {
  vi.useFakeTimers();
  harness = createHarness();
});
afterEach(async () => {
  await harness.hub.stop();
  vi.useRealTimers();
});

function join(hub: Hub, transactionId: string, version: string, language: Language = 'en') {
  const updates: Update[] = [];
  const leave = hub.join({
    transactionId,
    version,
    locale: LOCALES[language],
    onUpdate: (update) => updates.push(update),
  });
  return { updates, leave };
}

describe('the hub', () => {
  test('polls once a second for all open pages together, and loads only what has changed', async () => {
    const pages = ['a', 'b', 'c', 'c'].map((id) => join(harness.hub, id, harness.put(id)));
    await vi.advanceTimersByTimeAsync(3 * SECOND_MS);
    expect(harness.versionQuestions).toEqual(Array(3).fill(['a', 'b', 'c']));
    expect(harness.listQuestions).toEqual([]);
    harness.put('c', { sequence: 2, status: 'awaiting_confirmation' });
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(harness.listQuestions).toEqual([['c']]);
    expect(pages.map(({ updates }) => updates.map(({ screen }) => screen))).toEqual([[], [], ['seen'], ['seen']]);
  });

  test('updates each page in its own language', async () => {
    const version = harness.put('a');
    const pages = (['de', 'en', 'de'] as const).map((language) => join(harness.hub, 'a', version, language));
    harness.put('a', { sequence: 2, status: 'awaiting_confirmation' });
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    const headings = pages.map(({ updates }) => updates.map(({ html }) => /<h1>(.*)<\/h1>/.exec(html)?.[1]));
    expect(headings).toEqual([
      ['Ihre Zahlung ist unterwegs'],
      ['Your payment is on its way'],
      ['Ihre Zahlung ist unterwegs'],
    ]);
    expect(harness.listQuestions).toEqual([['a']]);
  });

  test('updates a page that was rendered before the change', async () => {
    const version = harness.put('a');
    harness.put('a', { sequence: 2 });
    const { updates } = join(harness.hub, 'a', version);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toHaveLength(1);
  });

  test('sends an update when only the time has changed', async () => {
    const { updates } = join(harness.hub, 'a', harness.put('a', { expiresAt: NOW + 30 * SECOND_MS }));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toEqual([]);
    harness.advance(31 * SECOND_MS);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates.map(({ screen }) => screen)).toEqual(['checking']);
  });

  test('polls nothing while no page is open', async () => {
    const { leave } = join(harness.hub, 'a', harness.put('a'));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    leave?.();
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(harness.versionQuestions.length).toBeLessThanOrEqual(2);
    const requested = harness.versionQuestions.length;
    join(harness.hub, 'a', harness.put('a'));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(harness.versionQuestions).toHaveLength(requested + 1);
  });

  test('logs an outage once, not every second, and catches up after it', async () => {
    const { updates } = join(harness.hub, 'a', harness.put('a'));
    harness.setBroken(true);
    harness.put('a', { sequence: 2 });
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect(harness.lines).toHaveLength(1);
    harness.setBroken(false);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toHaveLength(1);
    expect(harness.lines).toHaveLength(2);
  });

  test('sends updates outside any request context, independent of who joined first', async () => {
    // Fake timers lose the request context they were set in.
    vi.useRealTimers();
    const version = harness.put('a');
    const contexts: unknown[] = [];
    const onUpdate = () => contexts.push(currentContext());
    const listener = { transactionId: 'a', version, locale: LOCALES.en, onUpdate };
    runInNewContext({ requestId: 'first' }, () => harness.hub.join(listener));
    harness.put('a', { sequence: 2 });
    await expect.poll(() => contexts, POLLING).toEqual([null]);
  });

  test('is limited per transaction and in total, and a leaving page frees a slot', () => {
    const version = harness.put('a');
    const pages = Array.from({ length: MAX_LISTENERS_PER_TRANSACTION }, () => join(harness.hub, 'a', version));
    expect(join(harness.hub, 'a', version).leave).toBeNull();
    pages[0]?.leave?.();
    // Leaving twice frees one slot.
    pages[0]?.leave?.();
    expect(join(harness.hub, 'a', version).leave).not.toBeNull();
    expect(join(harness.hub, 'a', version).leave).toBeNull();
    const others = MAX_LISTENERS - MAX_LISTENERS_PER_TRANSACTION;
    for (let index = 0; index < others; index += 1) {
      expect(join(harness.hub, `b${index}`, version).leave).not.toBeNull();
    }
    expect(join(harness.hub, 'c', version).leave).toBeNull();
  });
});
