import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../machines/index.ts';
import {
  type AuditedChange,
  allowAddresses,
  changeKey,
  createAuthenticator,
  createKey,
  INTERFACE_TERMS,
  type IssuedKey,
  issueKeys,
  type KeyHolder,
  type KeyTerms,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  upsertMerchant,
} from '../../src/merchants/index.ts';
import { createTestClock } from '../support/clock.ts';
import { describeBothDatabases, describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const NEW_KEY = { kind: 'secret', mode: 'test', name: 'Web shop', oneOpenPaymentPerIp: false } as const;
const PROFESSIONAL = { terms: INTERFACE_TERMS.professional };
let shops = 0;

const clock = createTestClock();

describeBothDatabases('the kinds of keys', (database) => {
  const { newKey, holderOf, addShop } = keysIn(database);

  test('rule 36: there are four, and each is created as requested', async () => {
    const merchantId = await addShop();
    for (const kind of ['secret', 'publishable'] as const) {
      for (const mode of ['live', 'test'] as const) {
        const { id, key } = await newKey(merchantId, { kind, mode });
        expect(key.startsWith(`${kind === 'secret' ? 'sk' : 'pk'}_${mode}_`)).toBe(true);
        expect(await holderOf(key)).toMatchObject({ keyId: id, merchantId, kind, mode });
      }
    }
  });
});

describeDatabases('the keys of a merchant', (database) => {
  const { changing, newKey, holderOf, addShop } = keysIn(database);
  let merchantId = '';

  beforeAll(async () => {
    merchantId = await addShop();
  });

  test('are valid from creation until they end, in any sequence of operations', async () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('create' as const) }),
      fc.record({ do: fc.constant('revoke' as const), key: fc.nat({ max: 3 }) }),
      fc.record({
        do: fc.constant('rotate' as const),
        key: fc.nat({ max: 3 }),
        overlapMs: fc.constantFrom(0, 1, HOUR_MS, DAY_MS),
      }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, HOUR_MS - 1, HOUR_MS, DAY_MS) }),
    );
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
        const shop = await addShop();
        const authenticator = createAuthenticator({ db: database().db, clock });
        /** The expected state: each key and when it ends. */
        const paper: { issued: IssuedKey; endsAt: number; isReplaced: boolean }[] = [];
        for (const each of actions) {
          if (each.do === 'wait') clock.advance(each.ms);
          else if (each.do === 'create') {
            const issued = await newKey(shop);
            paper.push({ issued, endsAt: Number.POSITIVE_INFINITY, isReplaced: false });
          } else {
            const known = paper[each.key];
            if (known === undefined) continue;
            const input = { merchantId: shop, keyId: known.issued.id };
            if (each.do === 'revoke') {
              await changing((change) => revokeKey(change, input));
              known.endsAt = Math.min(known.endsAt, clock.now());
            } else {
              const { overlapMs } = each;
              const rotated = changing((change) => rotateKey(change, { ...input, overlapMs }));
              if (known.endsAt <= clock.now()) await expect(rotated).rejects.toMatchObject({ code: 'KEY_REVOKED' });
              else if (known.isReplaced) await expect(rotated).rejects.toMatchObject({ code: 'KEY_ROTATED' });
              else {
                paper.push({ issued: await rotated, endsAt: Number.POSITIVE_INFINITY, isReplaced: false });
                known.endsAt = clock.now() + overlapMs;
                known.isReplaced = true;
              }
            }
          }
          const holders = await Promise.all(paper.map(({ issued }) => authenticator.authenticate(issued.key)));
          expect(holders.map((holder) => holder?.keyId ?? null)).toEqual(
            paper.map(({ issued, endsAt }) => (clock.now() < endsAt ? issued.id : null)),
          );
          const listed = await listKeys(database().db, shop);
          expect(new Map(listed.map(({ id, endsAt }) => [id, endsAt]))).toEqual(
            new Map(paper.map(({ issued, endsAt }) => [issued.id, Number.isFinite(endsAt) ? endsAt : null])),
          );
        }
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('pass their name and rules on to their successors', async () => {
    const { id } = await newKey(merchantId, { oneOpenPaymentPerIp: true });
    const input = { merchantId, keyId: id };
    await changing((change) => allowAddresses(change, { ...input, ...PROFESSIONAL, cidrs: ['203.0.113.7'] }));
    await changing((change) => changeKey(change, input, { name: 'Till' }));
    const { id: next, key } = await changing((change) => rotateKey(change, { ...input, overlapMs: HOUR_MS }));
    const rules = { name: 'Till', allowedCidrs: ['203.0.113.7/32'], oneOpenPaymentPerIp: true };
    const keys = await listKeys(database().db, merchantId);
    expect(keys.find((each) => each.id === next)).toMatchObject({ ...rules, hint: key.slice(-4), endsAt: null });
    expect(await holderOf(key)).toMatchObject({ allowedCidrs: rules.allowedCidrs, oneOpenPaymentPerIp: true });
    await changing((change) => changeKey(change, { merchantId, keyId: next }, { oneOpenPaymentPerIp: false }));
    expect(await holderOf(key)).toMatchObject({ allowedCidrs: rules.allowedCidrs, oneOpenPaymentPerIp: false });
  });

  test('can be restricted to addresses on plans that include it, and always be unrestricted', async () => {
    const { id: keyId } = await newKey(merchantId);
    const tie = async (terms: KeyTerms, cidrs: readonly string[]) =>
      (await changing((change) => allowAddresses(change, { merchantId, keyId, terms, cidrs }))).cidrs;
    for (const plan of [INTERFACE_TERMS.starter, INTERFACE_TERMS.business]) {
      await expect(tie(plan, ['10.0.0.0/8'])).rejects.toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED' });
    }
    for (const plan of [INTERFACE_TERMS.professional, INTERFACE_TERMS.enterprise]) {
      expect(await tie(plan, ['10.0.0.0/8', '10.0.0.0/8'])).toEqual(['10.0.0.0/8']);
    }
    await expect(tie(INTERFACE_TERMS.enterprise, ['10.0.0.0/40'])).rejects.toMatchObject({ code: 'INVALID_CIDR' });
    expect(await tie(INTERFACE_TERMS.starter, [])).toEqual([]);
  });

  test('for browsers cannot be restricted to addresses', async () => {
    const { id: keyId } = await newKey(merchantId, { kind: 'publishable' });
    const tying = changing((change) => allowAddresses(change, { merchantId, keyId, ...PROFESSIONAL, cidrs: ['::1'] }));
    await expect(tying).rejects.toMatchObject({ code: 'KEY_NOT_SECRET' });
  });

  test('of other merchants are not found', async () => {
    const other = await addShop();
    const { id: keyId, key } = await newKey(merchantId);
    const input = { merchantId: other, keyId };
    const attempts: ((change: AuditedChange) => Promise<unknown>)[] = [
      (change) => revokeKey(change, input),
      (change) => rotateKey(change, { ...input, overlapMs: 0 }),
      (change) => changeKey(change, input, { name: 'Mine' }),
      (change) => allowAddresses(change, { ...input, ...PROFESSIONAL, cidrs: [] }),
    ];
    for (const attempt of attempts) await expect(changing(attempt)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    expect(await holderOf(key)).not.toBeNull();
    expect(await listKeys(database().db, other)).toEqual([]);
  });

  test.each([['x'.repeat(101)], ['a\u0000b'], ['a\nb'], ['\ud800']])('cannot be named %j', async (name) => {
    const making = newKey(merchantId, { name });
    await expect(making).rejects.toMatchObject({ code: 'INVALID_KEY_NAME' });
  });

  test.each([-1, 0.5, 30 * DAY_MS + 1, Number.NaN])('cannot overlap for %d ms', async (overlapMs) => {
    const { id: keyId } = await newKey(await addShop());
    const rotating = changing((change) => rotateKey(change, { merchantId, keyId, overlapMs }));
    await expect(rotating).rejects.toMatchObject({ code: 'INVALID_OVERLAP' });
  });

  test('are limited to fifty valid ones, also under concurrent creation', async () => {
    const shop = await addShop();
    const making = Array.from({ length: 60 }, () => newKey(shop));
    const made = await Promise.allSettled(making);
    const rejections = made.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(rejections).toEqual(Array(10).fill(expect.stringContaining('already has 50 active keys')));
    const [first, second] = await listKeys(database().db, shop);
    // With an overlap, a rotation makes one more valid key.
    const rotate = (overlapMs: number) =>
      changing((change) => rotateKey(change, { merchantId: shop, keyId: second?.id ?? '', overlapMs }));
    await expect(rotate(HOUR_MS)).rejects.toMatchObject({ code: 'TOO_MANY_KEYS' });
    await rotate(0);
    await changing((change) => revokeKey(change, { merchantId: shop, keyId: first?.id ?? '' }));
    await newKey(shop);
  });

  test('leave an audit of who did what and when, and no secret', async () => {
    const shop = await addShop();
    const { sk_test } = await database()
      .db.transaction()
      .execute((trx) => issueKeys(trx, shop, clock.now()));
    clock.advance(MINUTE_MS);
    const first = await newKey(shop);
    const second = await changing((change) => rotateKey(change, { merchantId: shop, keyId: first.id, overlapMs: 0 }));
    await changing((change) =>
      allowAddresses(change, { merchantId: shop, keyId: second.id, ...PROFESSIONAL, cidrs: ['::1'] }),
    );
    await changing((change) => changeKey(change, { merchantId: shop, keyId: second.id }, { name: 'Till' }));
    await changing((change) => revokeKey(change, { merchantId: shop, keyId: second.id }));
    await changing((change) => revokeKey(change, { merchantId: shop, keyId: second.id }));
    const entries = await database()
      .db.selectFrom('audit_entry')
      .selectAll()
      .where('merchant_id', '=', shop)
      .orderBy('id')
      .execute();
    const own = entries.slice(4).map(({ what, subject_id: subject }) => [what, subject]);
    expect(entries.slice(0, 4).map(({ who, what }) => `${who}: ${what}`)).toEqual(
      Array<string>(4).fill('provisioning: api_key.created'),
    );
    expect(own).toEqual([
      ['api_key.created', first.id],
      ['api_key.created', second.id],
      ['api_key.rotated', first.id],
      ['api_key.allowed_addresses_changed', second.id],
      ['api_key.changed', second.id],
      ['api_key.revoked', second.id],
    ]);
    for (const { who, occurred_at: at } of entries.slice(4)) expect([who, at]).toEqual(['a test', clock.now()]);
    const text = JSON.stringify(entries);
    for (const secret of [first.key, second.key, sk_test]) expect(text).not.toContain(secret.slice(8));
  });

  test('record their last use to the minute, with one write a minute', async () => {
    const { id, key } = await newKey(await addShop());
    const lastUse = async () => {
      const { db } = database();
      const row = await db.selectFrom('api_key').select('last_used_at').where('id', '=', id).executeTakeFirst();
      return row?.last_used_at ?? null;
    };
    expect(await lastUse()).toBeNull();
    const firstUse = clock.now();
    await holderOf(key);
    await expect.poll(lastUse, POLLING).toBe(firstUse);
    clock.advance(MINUTE_MS - 1);
    // A write would happen asynchronously; repeated lookups give it enough time.
    for (let requested = 0; requested < 20; requested += 1) await holderOf(key);
    expect(await lastUse()).toBe(firstUse);
    clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => holderOf(key)));
    await expect.poll(lastUse, POLLING).toBe(clock.now());
  });
});

// Helpers

/** What merchants do with keys in a database. */
function keysIn(database: () => TestDatabase) {
  function changing<T>(work: (change: AuditedChange) => Promise<T>): Promise<T> {
    return database()
      .db.transaction()
      .execute((trx) => work({ trx, who: 'a test', now: clock.now() }));
  }

  function newKey(shop: string, spec: Partial<NewKey> = {}): Promise<IssuedKey> {
    return changing((change) => createKey(change, { ...NEW_KEY, ...spec, merchantId: shop }));
  }

  function holderOf(key: string): Promise<KeyHolder | null> {
    return createAuthenticator({ db: database().db, clock }).authenticate(key);
  }

  async function addShop(): Promise<string> {
    shops += 1;
    const merchant = { name: `Shop ${shops}`, email: 'shop@example.com', plan: 'professional', settings: {} } as const;
    return database()
      .db.transaction()
      .execute(async (trx) => (await upsertMerchant(trx, merchant)).id);
  }

  return { changing, newKey, holderOf, addShop };
}
