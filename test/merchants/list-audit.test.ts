import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUserWithPassword } from '../../src/accounts/index.ts';
import type { AuditEntry } from '../../src/merchants/audit/audit.ts';
import {
  type AuditedAction,
  type ListedAuditEntry,
  listAudit,
  upsertMerchant,
  writeAudit,
} from '../../src/merchants/index.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { addObjects, OBJECTS } from './audited-objects.ts';

const ACTIONS = ['api_key.created', 'api_key.revoked', 'user.invited', 'session.started'] as const;
let shops = 0;

const entry = fc.record({
  what: fc.constantFrom<AuditedAction>(...ACTIONS),
  isOurs: fc.boolean(),
  afterMs: fc.integer({ min: 0, max: 5_000 }),
});

describeDatabases('the audit log of a merchant', (database) => {
  const clock = createTestClock();

  test('is returned in pages that contain every matching entry exactly once, newest first, and nothing else', async () => {
    const filter = fc.record({
      about: fc.constantFrom(null, 'api_key', 'user', 'api'),
      sinceMs: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: null }),
      limit: fc.integer({ min: 1, max: 7 }),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(entry, { maxLength: 20 }), filter, async (entries, { about, sinceMs, limit }) => {
        const [ours, theirs] = [await addShop(), await addShop()];
        const begin = clock.now();
        const expected: string[] = [];
        for (const [index, { what, isOurs, afterMs }] of entries.entries()) {
          clock.advance(afterMs);
          await write({ merchantId: isOurs ? ours : theirs, what, subjectId: `subject ${index}` });
          const isAbout = about === null || what.split('.')[0] === about;
          const isNewEnough = sinceMs === null || clock.now() >= begin + sinceMs;
          if (isOurs && isAbout && isNewEnough) expected.unshift(`subject ${index}`);
        }
        const from = sinceMs === null ? null : begin + sinceMs;
        const read: ListedAuditEntry[] = [];
        let before: number | null = null;
        do {
          const page = await listAudit(database().db, { merchantId: ours, about, from }, { before, limit });
          read.push(...page.entries);
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          before = page.next;
        } while (before !== null);
        expect(read.map(({ subjectId }) => subjectId)).toEqual(expected);
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('shows the addresses of its own users only', async () => {
    const [ours, theirs] = [await addShop(), await addShop()];
    const [own, otherUser, operator] = [await addUser(ours), await addUser(theirs), await addUser(null)];
    await write({ merchantId: ours, what: 'user.invited', subjectId: own.id }, `user ${own.id}`);
    await write({ merchantId: ours, what: 'user.invited', subjectId: otherUser.id }, `user ${otherUser.id}`);
    await write({ merchantId: ours, what: 'api_key.revoked', subjectId: 'key_1' }, `user ${operator.id}`);
    await write({ merchantId: ours, what: 'api_key.created', subjectId: 'key_1' }, 'command line, root');
    const page = await listAudit(
      database().db,
      { merchantId: ours, about: null, from: null },
      { before: null, limit: 4 },
    );
    expect(page.next).toBeNull();
    expect(
      page.entries.map(({ who, whoEmail, subject }) => ({ who, whoEmail, subject: subject?.name ?? null })),
    ).toEqual([
      { who: 'command line, root', whoEmail: null, subject: null },
      { who: `user ${operator.id}`, whoEmail: null, subject: null },
      { who: `user ${otherUser.id}`, whoEmail: null, subject: null },
      { who: `user ${own.id}`, whoEmail: own.email, subject: own.email },
    ]);
  });

  test('names what each entry is about, and nothing that belongs to another merchant', async () => {
    const [ours, theirs] = [await addShop(), await addShop()];
    await addObjects(database().db, ours);
    for (const { what, id } of OBJECTS) {
      await write({ merchantId: ours, what, subjectId: id, details: { mode: 'test' } });
      await write({ merchantId: theirs, what, subjectId: id, details: { mode: 'test' } });
    }
    const read = async (merchantId: string) => {
      const where = { merchantId, about: null, from: null };
      const { entries } = await listAudit(database().db, where, { before: null, limit: 50 });
      return entries.toReversed();
    };
    expect((await read(ours)).map(({ subject }) => subject)).toEqual(OBJECTS.map(({ subject }) => subject));
    expect((await read(theirs)).map(({ subject }) => subject?.name ?? null)).toEqual(OBJECTS.map(() => null));
    expect(JSON.stringify(await read(ours))).not.toContain('secret');
  });

  // Helpers

  async function addShop(): Promise<string> {
    shops += 1;
    const name = `Audited shop ${process.pid} ${shops}`;
    const { id } = await database()
      .db.transaction()
      .execute((trx) => upsertMerchant(trx, { name, email: 'shop@example.com', plan: 'starter', settings: {} }));
    return id;
  }

  async function addUser(merchantId: string | null): Promise<{ readonly id: string; readonly email: string }> {
    shops += 1;
    const email = `person-${shops}@shop.example`;
    const role = merchantId === null ? 'operator' : 'owner';
    await database()
      .db.transaction()
      .execute((trx) => createUserWithPassword({ trx, who: 'test', now: clock.now() }, { email, role, merchantId }));
    const { id } = await database()
      .db.selectFrom('merchant_user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    // Creating a user is audited too.
    await database().db.deleteFrom('audit_entry').where('subject_id', '=', id).execute();
    return { id, email };
  }

  const write = (entry: AuditEntry, who = 'test') =>
    database()
      .db.transaction()
      .execute((trx) => writeAudit({ trx, who, now: clock.now() }, entry));
});
