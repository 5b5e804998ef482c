import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import { GIVE_UP_AFTER_MS, WARN_AFTER_MS } from '../../../src/webhooks/health/decide.ts';
import { createTestClock, START_MS, type TestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { openShop, SECRET_PATH, type Shop } from './shop.ts';

const FOUR = ['failure', 'probe', 'failure', 'failure'] as const;

describeDatabases('the health of an endpoint', (database) => {
  let clock: TestClock;
  let shop: Shop;
  beforeEach(async () => {
    clock = createTestClock();
    shop = await openShop(database(), clock);
  });

  const kinds = async () => (await shop.notices()).map(({ kind }) => kind);
  const failingSince = async () => (await shop.endpoint()).failing_since;

  /**
   * Fails the endpoint every half day until then, checking hourly, since checking every minute
   * would be too slow for a test.
   */
  async function failUntil(ageMs: number): Promise<void> {
    while (clock.now() < START_MS + ageMs) {
      clock.advance(Math.min(12 * HOUR_MS, START_MS + ageMs - clock.now()));
      await shop.attempt(['failure']);
      await shop.check();
    }
  }

  describe('fails from the first failure after the last success', () => {
    test('in one commit and over several', async () => {
      await shop.attempt(['failure', 'failure']);
      clock.advance(MINUTE_MS);
      await shop.attempt(['probe']);
      expect(await failingSince()).toBe(START_MS);
      await shop.attempt(['failure', 'success']);
      expect(await failingSince()).toBeNull();
      await shop.attempt(['success', 'not_sent']);
      expect(await failingSince()).toBeNull();
      await shop.attempt(['failure', 'success', 'failure']);
      expect(await failingSince()).toBe(START_MS + MINUTE_MS);
      clock.advance(MINUTE_MS);
      await shop.attempt(['success', 'failure']);
      expect(await failingSince()).toBe(START_MS + 2 * MINUTE_MS);
    });

    test('but not while it is disabled', async () => {
      await shop.change({ enabled: false });
      await shop.attempt(['failure']);
      expect(await failingSince()).toBeNull();
    });

    test('without a write or a lock while nothing changes', async () => {
      const { db } = database();
      const version = async () => {
        const { rows } = await sql<{ version: string }>`
          select xmin::text || xmax::text || ctid::text as version from webhook_endpoint where id = ${shop.endpointId}`.execute(
          db,
        );
        return rows[0]?.version;
      };
      const well = await version();
      await shop.attempt(['success', 'success']);
      expect(await version()).toBe(well);
      await shop.attempt(['failure']);
      const failing = await version();
      expect(failing).not.toBe(well);
      await shop.attempt(['failure', 'probe']);
      expect(await version()).toBe(failing);
    });
  });

  test('is reported after an hour and four failures, by mail, without path or query', async () => {
    await shop.attempt(['failure', 'failure', 'failure']);
    clock.advance(WARN_AFTER_MS[0]);
    await shop.check();
    expect(await kinds()).toEqual([]);
    await shop.attempt(['failure']);
    await shop.check(3);
    await shop.check();
    expect(await shop.notices()).toMatchObject([
      {
        kind: 'webhook_failing',
        createdAt: START_MS + HOUR_MS,
        since: START_MS,
        disablesAt: null,
        text: expect.stringContaining(backlog({ waiting: 4, givenUp: 0 })),
      },
    ]);
    const mails = await shop.mails();
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([...shop.users].sort());
    for (const { subject, text, html } of mails) {
      expect(subject).toBe('Webhooks to 127.0.0.1:8443 are failing');
      for (const body of [text, html]) {
        expect(body).toContain('21 November 2026 at 10:00 UTC');
        expect(body).toContain('status: The endpoint responded with 500');
        expect(body).toContain(`POST /v1/webhooks/endpoints/${shop.endpointId}/replay`);
        expect(body).toContain('2026-11-20T10:00:00.000Z');
        expect(body).not.toMatch(new RegExp(`${SECRET_PATH}|hidden-query|will be disabled`));
      }
    }
  });

  test('is not reported before the hour is over', async () => {
    await shop.attempt(FOUR);
    clock.advance(WARN_AFTER_MS[0] - 1);
    await shop.check();
    expect(await kinds()).toEqual([]);
    clock.advance(1);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing']);
  });

  test.each([
    ['unfinished after weeks in which no sender ran', { ageMs: 20 * DAY_MS }, { waiting: 4, givenUp: 0 }],
    [
      'given up after three days without a response',
      { ageMs: 3 * DAY_MS + HOUR_MS, isLast: true },
      { waiting: 0, givenUp: 4 },
    ],
  ])('is reported from attempts of old deliveries: %s', async (_, options, counts) => {
    await shop.attempt(FOUR, options);
    clock.advance(HOUR_MS);
    await shop.check();
    const [notice, ...others] = await shop.notices();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: 'webhook_failing', since: START_MS });
    expect(notice?.text).toContain('Last failure: status: The endpoint responded with 500');
    expect(notice?.text).toContain(backlog(counts));
  });

  test('is reported as recovered once, after a success', async () => {
    await shop.attempt(FOUR);
    clock.advance(2 * HOUR_MS);
    await shop.check();
    await shop.attempt(['success']);
    await shop.check(3);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing', 'webhook_recovered']);
    const { subject, text } = (await shop.mails()).at(-1) ?? { subject: '', text: '' };
    expect(subject).toBe('Webhooks to 127.0.0.1:8443 work again');
    expect(text).toContain('It had been failing since 21 November 2026 at 10:00 UTC');
    // A second failing period has its own notices.
    clock.advance(MINUTE_MS);
    await shop.attempt(FOUR);
    clock.advance(2 * HOUR_MS);
    await shop.check();
    await shop.attempt(['success']);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing', 'webhook_recovered', 'webhook_failing', 'webhook_recovered']);
  });

  test('is not reported as recovered while it fails, and a short success does not reset it', async () => {
    await shop.attempt(FOUR);
    clock.advance(2 * HOUR_MS);
    await shop.check();
    await shop.attempt(['success']);
    await shop.attempt(['failure']);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing']);
    await shop.attempt(['success']);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing', 'webhook_recovered']);
  });

  test('is reported as recovered after a success, not after a change of its URL or a re-enable', async () => {
    await shop.attempt(FOUR);
    clock.advance(2 * HOUR_MS);
    await shop.check();
    await shop.change({ url: 'http://127.0.0.1:9443/' });
    await shop.check();
    await shop.change({ enabled: false });
    await shop.check();
    await shop.change({ enabled: true });
    await shop.check();
    expect(await failingSince()).toBeNull();
    expect(await kinds()).toEqual(['webhook_failing']);
    await shop.attempt(['success']);
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing', 'webhook_recovered']);
  });

  test('never disables the endpoint without the option, however long it fails', async () => {
    await shop.attempt(FOUR);
    await failUntil(3 * GIVE_UP_AFTER_MS);
    expect(await kinds()).toEqual(['webhook_failing']);
    expect(await shop.endpoint()).toMatchObject({ enabled: true, failing_since: START_MS });
  });

  test('disables it after five days with the option, with a warning at each step', async () => {
    await shop.change({ disablesItself: true });
    await shop.attempt(FOUR);
    await failUntil(GIVE_UP_AFTER_MS - 1);
    expect(await kinds()).toEqual(['webhook_failing', 'webhook_failing', 'webhook_failing']);
    const end = START_MS + GIVE_UP_AFTER_MS;
    expect((await shop.notices()).map(({ disablesAt }) => disablesAt)).toEqual([end, end, end]);
    expect((await shop.mails()).at(-1)?.text).toContain(
      '26 November 2026 at 10:00 UTC, it will be disabled automatically',
    );
    clock.advance(1);
    await shop.check(3);
    await shop.check();
    expect((await kinds()).slice(3)).toEqual(['webhook_disabled']);
    expect(await shop.endpoint()).toMatchObject({
      enabled: false,
      disabled_at: end,
      disabled_because: 'failing',
      warned_at: null,
      warned_since: null,
    });
    expect((await shop.mails()).at(-1)?.subject).toBe('Webhooks to 127.0.0.1:8443 were disabled');
    const audit = await database()
      .db.selectFrom('audit_entry')
      .select(['who', 'what', 'details'])
      .where('subject_id', '=', shop.endpointId)
      .orderBy('id')
      .execute();
    const entry = { who: 'service', what: 'webhook_endpoint.disabled', details: { because: 'failing' } };
    expect(audit.filter(({ who }) => who === 'service')).toEqual([entry]);
    // Re-enabling starts a new count.
    await shop.change({ enabled: true });
    await shop.attempt(['failure']);
    await shop.check();
    expect(await shop.endpoint()).toMatchObject({ enabled: true, failing_since: clock.now(), notices_sent: 0 });
  });

  describe('a response 410', () => {
    test('changes nothing without the option, nor when the option is switched on later', async () => {
      await shop.attempt(['gone']);
      await shop.change({ disablesOnGone: true });
      await shop.check();
      expect(await shop.endpoint()).toMatchObject({ enabled: true, failing_since: START_MS, gone_at: null });
    });

    test('disables it at the next check with the option, with the mail of any disabling', async () => {
      await shop.change({ disablesOnGone: true });
      await shop.attempt(['failure']);
      clock.advance(MINUTE_MS);
      await shop.attempt(['gone']);
      clock.advance(MINUTE_MS);
      await shop.check(3);
      await shop.check();
      expect(await shop.notices()).toMatchObject([{ kind: 'webhook_disabled', since: START_MS }]);
      const disabled = { enabled: false, disabled_because: 'gone', disabled_at: clock.now(), gone_at: null };
      expect(await shop.endpoint()).toMatchObject(disabled);
      const [mail] = await shop.mails();
      expect(mail?.subject).toBe('Webhooks to 127.0.0.1:8443 were disabled');
      expect(mail?.text).toContain('responded with 410 Gone. Its settings disable it on this response');
      expect(mail?.text).toContain('Last failure: status: The endpoint responded with 410');
      const audit = await database()
        .db.selectFrom('audit_entry')
        .select('details')
        .where('subject_id', '=', shop.endpointId)
        .where('who', '=', 'service')
        .execute();
      expect(audit).toEqual([{ details: { because: 'gone' } }]);
    });

    test('followed by a success does not disable it, even if its row missed the success', async () => {
      await shop.change({ disablesOnGone: true });
      await shop.attempt(['gone', 'success']);
      await shop.check();
      await shop.attempt(['gone']);
      clock.advance(MINUTE_MS);
      await shop.attempt(['success'], { isUnseen: true });
      await shop.check();
      expect(await shop.endpoint()).toMatchObject({ enabled: true, failing_since: null, gone_at: null });
      await shop.attempt(['gone']);
      await shop.change({ url: 'http://127.0.0.1:9443/' });
      await shop.check();
      expect([await kinds(), (await shop.endpoint()).enabled]).toEqual([[], true]);
    });
  });

  test('does not disable it while nothing is sent to it', async () => {
    await shop.change({ disablesItself: true });
    await shop.attempt(FOUR);
    await failUntil(WARN_AFTER_MS[2]);
    clock.advance(2 * DAY_MS);
    await shop.check();
    expect(await shop.endpoint()).toMatchObject({ enabled: true });
    await shop.attempt(['failure']);
    await shop.check();
    expect(await shop.endpoint()).toMatchObject({ enabled: false });
  });

  test('warns half a day before the end even if the worker was not running in time', async () => {
    await shop.change({ disablesItself: true });
    await shop.attempt(FOUR);
    clock.advance(2 * GIVE_UP_AFTER_MS);
    await shop.attempt(['failure']);
    await shop.check();
    await shop.check();
    expect(await kinds()).toEqual(['webhook_failing']);
    expect((await shop.notices())[0]?.disablesAt).toBe(clock.now() + 12 * HOUR_MS);
    clock.advance(12 * HOUR_MS - 1);
    await shop.check();
    expect(await shop.endpoint()).toMatchObject({ enabled: true });
    clock.advance(1);
    await shop.check();
    expect(await shop.endpoint()).toMatchObject({ enabled: false });
  });

  test('uses the log for a success that its own row missed', async () => {
    await shop.attempt(FOUR);
    clock.advance(MINUTE_MS);
    await shop.attempt(['success'], { isUnseen: true });
    clock.advance(HOUR_MS);
    await shop.check();
    expect(await kinds()).toEqual([]);
    expect(await failingSince()).toBeNull();
    await shop.attempt(FOUR);
    clock.advance(MINUTE_MS);
    await shop.attempt(['success'], { isUnseen: true });
    clock.advance(MINUTE_MS);
    const since = clock.now();
    await shop.attempt(FOUR);
    clock.advance(HOUR_MS);
    await shop.check();
    expect(await failingSince()).toBe(since);
    await shop.check();
    expect((await shop.notices()).map((notice) => notice.since)).toEqual([since]);
  });

  test('of a deleted endpoint is not reported', async () => {
    await shop.attempt(FOUR);
    await database()
      .db.updateTable('webhook_endpoint')
      .set({ deleted_at: new Date(clock.now()) })
      .where('id', '=', shop.endpointId)
      .execute();
    clock.advance(DAY_MS);
    await shop.check();
    expect(await kinds()).toEqual([]);
  });
});

// Helpers

/** The lines of an email about events that the endpoint has not taken. */
function backlog({ waiting, givenUp }: { readonly waiting: number; readonly givenUp: number }): string {
  return `Events pending: ${waiting}\nEvents abandoned: ${givenUp}\n`;
}
