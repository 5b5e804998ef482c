import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { MAX_TOLERANCE_BASIS_POINTS, MAX_WINDOW_MINUTES, MIN_WINDOW_MINUTES } from '../../machines/index.ts';
import {
  type AuditedChange,
  type ChangeableSettings,
  changeSettings,
  DEFAULT_SETTINGS,
  listAudit,
  MAX_MIN_CONFIRMATIONS,
  readSettings,
  upsertMerchant,
} from '../../src/merchants/index.ts';
import { IMAGES } from '../images/samples.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

/** Integers with limits, and values around and far beyond them. */
const LIMITS = {
  toleranceBasisPoints: [0, MAX_TOLERANCE_BASIS_POINTS],
  windowMinutes: [MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES],
  minConfirmations: [1, MAX_MIN_CONFIRMATIONS],
} as const;

const CONTACT = 'first@shop.example';
let shops = 0;

const around = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min, max }),
    fc.constantFrom(min - 1, min, max, max + 1),
    fc.integer(),
    fc.double().filter((number) => !Number.isInteger(number)),
  );

const limited = fc.oneof(
  ...Object.entries(LIMITS).map(([field, [min, max]]) =>
    around(min, max).map((value) => ({ field: field as keyof typeof LIMITS, value })),
  ),
);

/** A step of one of two owners, who reload the settings now and then. */
const step = fc.record({
  owner: fc.constantFrom('ann', 'bob'),
  looksFirst: fc.boolean(),
  changes: fc.record(
    {
      toleranceBasisPoints: fc.constantFrom(0, 50, 75),
      windowMinutes: fc.constantFrom(null, 30, 45),
      minConfirmations: fc.constantFrom(1, 3),
      refuseWhenNetworkLags: fc.boolean(),
      mailFirstPayment: fc.boolean(),
      mailLatePayment: fc.boolean(),
      mailNeedsAttention: fc.boolean(),
      mailUnassignedCoins: fc.boolean(),
      mailFailingWebhook: fc.boolean(),
      mailDailySummary: fc.boolean(),
      mailCustomerReceipt: fc.boolean(),
      mailCustomerLate: fc.boolean(),
      customerLanguage: fc.constantFrom('en', 'de'),
      logo: fc.constant(null),
      brandColour: fc.constantFrom(null, '#0b6e4f', '#ffd21f'),
      supportContact: fc.constantFrom(null, 'help@shop.example', 'https://shop.example/help'),
      recommendedCrypto: fc.constantFrom(null, 'LTC', 'DOGE'),
      contactEmail: fc.constantFrom(CONTACT, 'second@shop.example'),
    },
    { requiredKeys: [] },
  ),
});

describeDatabases('the settings of a merchant', (database) => {
  const clock = createTestClock();
  let merchantId = '';

  beforeEach(async () => {
    merchantId = await addShop();
  });

  test('accept values within their limits, and reject everything else by name without any change', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(limited, async ({ field, value }) => {
        const [min, max] = LIMITS[field];
        const before = await read();
        const saving = change({ [field]: value }, before);
        if (Number.isInteger(value) && value >= min && value <= max) {
          await saving;
          expect(await read()).toEqual({ ...before, [field]: value });
          return;
        }
        const rejection: unknown = await saving.catch((error: unknown) => error);
        expect(rejection).toMatchObject({ code: 'INVALID_REQUEST', field });
        expect(String(rejection)).toContain(`${field} must be a whole number from ${min} to ${max}`);
        expect(await read()).toEqual(before);
      }),
      { numRuns: level.runs(80) },
    );
  });

  test('are never overwritten unseen by two owners, in any order of reads and changes', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        merchantId = await addShop();
        let model = await read();
        const seen = { ann: model, bob: model };
        let changed = 0;
        for (const { owner, looksFirst, changes } of steps) {
          if (looksFirst) seen[owner as keyof typeof seen] = model;
          const known = seen[owner as keyof typeof seen];
          const names = Object.keys(changes) as (keyof ChangeableSettings)[];
          const isFresh = names.every((name) => known[name] === model[name]);
          const saving = change(changes, known);
          if (isFresh) {
            if (names.some((name) => changes[name] !== model[name])) changed += 1;
            model = { ...model, ...changes };
            expect(await saving).toEqual(model);
            seen[owner as keyof typeof seen] = model;
          } else {
            await expect(saving).rejects.toMatchObject({ code: 'CONFLICT' });
          }
          expect(await read()).toEqual(model);
        }
        const { entries } = await audit();
        expect(entries.filter(({ what }) => what === 'merchant.settings_changed')).toHaveLength(changed);
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('start with the defaults, and keep following them until set', async () => {
    expect(await read()).toEqual({ ...DEFAULT_SETTINGS, contactEmail: CONTACT });
    await change({ minConfirmations: 5 }, await read());
    const stored = await database()
      .db.selectFrom('merchant')
      .select('settings')
      .where('id', '=', merchantId)
      .executeTakeFirstOrThrow();
    expect(stored.settings).toEqual({ minConfirmations: 5 });
  });

  test('keep a replaced logo for as long as emails may show it', async () => {
    merchantId = await addShop();
    const { logo } = await change({ logo: IMAGES.PNG }, { logo: null });
    await sql`update image set created_at = '2020-01-01' where id = ${logo}`.execute(database().db);
    await change({ logo: null }, { logo });
    const { rows } = await sql<{ at: Date }>`
      select created_at as at from image where id = ${logo}`.execute(database().db);
    expect(new Date(rows[0]?.at ?? 0).getTime()).toBe(clock.now());
  });

  test('are audited with the values before and after, without an address', async () => {
    await change({ toleranceBasisPoints: 100, contactEmail: ' new@shop.example ' }, await read());
    expect(await read()).toMatchObject({ toleranceBasisPoints: 100, contactEmail: 'new@shop.example' });
    const { entries } = await audit();
    expect(entries[0]).toMatchObject({
      what: 'merchant.settings_changed',
      who: 'user usr_test',
      subjectId: merchantId,
      details: {
        before: { toleranceBasisPoints: 50 },
        after: { toleranceBasisPoints: 100 },
        contactEmail: 'changed',
      },
    });
    expect(JSON.stringify(entries)).not.toContain('@');
  });

  test('reject an invalid address, and a change without the seen value', async () => {
    for (const contactEmail of ['nobody', 'a@b', 'a b@shop.example', 'a@shop.example\nbcc: b@shop.example', 'a@@b.c']) {
      await expect(change({ contactEmail }, await read())).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'contactEmail',
      });
    }
    await expect(change({ minConfirmations: 3 }, {})).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'seen.minConfirmations',
    });
    expect(await read()).toEqual({ ...DEFAULT_SETTINGS, contactEmail: CONTACT });
  });

  test('cannot be read or changed for an unknown merchant', async () => {
    const known = await read();
    merchantId = 'mer_nobody';
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(change({ minConfirmations: 3 }, known)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  // Helpers

  async function addShop(): Promise<string> {
    shops += 1;
    const name = `Settings shop ${process.pid} ${shops}`;
    const { id } = await database()
      .db.transaction()
      .execute((trx) => upsertMerchant(trx, { name, email: CONTACT, plan: 'starter', settings: {} }));
    return id;
  }

  const read = async () => (await readSettings(database().db, { merchantId })).settings;

  const change = (changes: Partial<ChangeableSettings>, seen: Partial<ChangeableSettings>) => {
    const changing = (trx: AuditedChange['trx']): AuditedChange => ({ trx, who: 'user usr_test', now: clock.now() });
    return database()
      .db.transaction()
      .execute((trx) => changeSettings(changing(trx), { merchantId, changes, seen }));
  };

  const audit = () => listAudit(database().db, { merchantId, about: null, from: null }, { before: null, limit: 100 });
});
