import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '../../../src/http/checkout/languages/language.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locale.ts';
import {
  createHub,
  type Hub,
  MAX_LISTENERS,
  MAX_LISTENERS_PER_TRANSACTION,
} from '../../../src/http/checkout/live/hub.ts';
import type { Update } from '../../../src/http/checkout/pages/payment.ts';
import { etagOf } from '../../../src/http/checkout/screen.ts';
import type { PublicTransaction } from '../../../src/payments/index.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { currentContext, runInNewContext } from '../../../src/platform/request-context.ts';
import { PATIENCE } from '../../support/patience.ts';
import { NOW, sampleTransaction } from './samples.ts';

/** Transactions changed by the test, and a record of the queries. */
function createWorld() {
  const transactions = new Map<string, PublicTransaction>();
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
    put(id: string, changes: Partial<PublicTransaction> = {}) {
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

let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  vi.useFakeTimers();
  world = createWorld();
});
afterEach(async () => {
  await world.hub.stop();
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
    const pages = ['a', 'b', 'c', 'c'].map((id) => join(world.hub, id, world.put(id)));
    await vi.advanceTimersByTimeAsync(3 * SECOND_MS);
    expect(world.versionQuestions).toEqual(Array(3).fill(['a', 'b', 'c']));
    expect(world.listQuestions).toEqual([]);
    world.put('c', { sequence: 2, status: 'awaiting_confirmation' });
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(world.listQuestions).toEqual([['c']]);
    expect(pages.map(({ updates }) => updates.map(({ screen }) => screen))).toEqual([[], [], ['seen'], ['seen']]);
  });

  test('updates each page in its own language', async () => {
    const version = world.put('a');
    const pages = (['de', 'en', 'de'] as const).map((language) => join(world.hub, 'a', version, language));
    world.put('a', { sequence: 2, status: 'awaiting_confirmation' });
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    const headings = pages.map(({ updates }) => updates.map(({ html }) => /<h1>(.*)<\/h1>/.exec(html)?.[1]));
    expect(headings).toEqual([
      ['Ihre Zahlung ist unterwegs'],
      ['Your payment is on its way'],
      ['Ihre Zahlung ist unterwegs'],
    ]);
    expect(world.listQuestions).toEqual([['a']]);
  });

  test('updates a page that was rendered before the change', async () => {
    const version = world.put('a');
    world.put('a', { sequence: 2 });
    const { updates } = join(world.hub, 'a', version);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toHaveLength(1);
  });

  test('sends an update when only the time has changed', async () => {
    const { updates } = join(world.hub, 'a', world.put('a', { expiresAt: NOW + 30 * SECOND_MS }));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toEqual([]);
    world.advance(31 * SECOND_MS);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates.map(({ screen }) => screen)).toEqual(['checking']);
  });

  test('polls nothing while no page is open', async () => {
    const { leave } = join(world.hub, 'a', world.put('a'));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    leave?.();
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(world.versionQuestions.length).toBeLessThanOrEqual(2);
    const requested = world.versionQuestions.length;
    join(world.hub, 'a', world.put('a'));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(world.versionQuestions).toHaveLength(requested + 1);
  });

  test('logs an outage once, not every second, and catches up after it', async () => {
    const { updates } = join(world.hub, 'a', world.put('a'));
    world.setBroken(true);
    world.put('a', { sequence: 2 });
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect(world.lines).toHaveLength(1);
    world.setBroken(false);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(updates).toHaveLength(1);
    expect(world.lines).toHaveLength(2);
  });

  test('sends updates outside any request context, independent of who joined first', async () => {
    // Fake timers lose the request context they were set in.
    vi.useRealTimers();
    const version = world.put('a');
    const contexts: unknown[] = [];
    const onUpdate = () => contexts.push(currentContext());
    const listener = { transactionId: 'a', version, locale: LOCALES.en, onUpdate };
    runInNewContext({ requestId: 'first' }, () => world.hub.join(listener));
    world.put('a', { sequence: 2 });
    await expect.poll(() => contexts, PATIENCE).toEqual([null]);
  });

  test('is limited per transaction and in total, and a leaving page frees a slot', () => {
    const version = world.put('a');
    const pages = Array.from({ length: MAX_LISTENERS_PER_TRANSACTION }, () => join(world.hub, 'a', version));
    expect(join(world.hub, 'a', version).leave).toBeNull();
    pages[0]?.leave?.();
    // Leaving twice frees one slot.
    pages[0]?.leave?.();
    expect(join(world.hub, 'a', version).leave).not.toBeNull();
    expect(join(world.hub, 'a', version).leave).toBeNull();
    const others = MAX_LISTENERS - MAX_LISTENERS_PER_TRANSACTION;
    for (let index = 0; index < others; index += 1) {
      expect(join(world.hub, `b${index}`, version).leave).not.toBeNull();
    }
    expect(join(world.hub, 'c', version).leave).toBeNull();
  });
});
