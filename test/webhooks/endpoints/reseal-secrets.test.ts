import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/platform/db/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createSecretBox, newWebhookSecret, type SecretBox } from '../../../src/platform/secrets/index.ts';
import { endpointSecretContext } from '../../../src/webhooks/endpoints/endpoint.ts';
import {
  createEndpoint,
  deleteEndpoint,
  regenerateSecret,
  resealEndpointSecrets,
  rotateSecret,
} from '../../../src/webhooks/index.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { createMerchant, PUBLIC_ONLY } from '../harness.ts';

const [OLD, NEW, LOST] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
const old = createSecretBox(OLD);
const both = createSecretBox(NEW, OLD);
const fresh = createSecretBox(NEW);

/** Stores `count` secrets and returns them by endpoint. */
async function store(database: Pick<TestDatabase, 'db'>, count: number, box: SecretBox): Promise<Map<string, string>> {
  const merchantId = await createMerchant(database);
  const secrets = new Map<string, string>();
  const rows = Array.from({ length: count }, (_, index) => {
    const id = newId('whk');
    const secret = newWebhookSecret();
    secrets.set(id, secret);
    const sealed = box.seal(secret, endpointSecretContext(id));
    const url = `https://shop.example/${index}`;
    return { id, merchant_id: merchantId, url, events: '["payment.completed"]', sealed_secret: sealed, enabled: true };
  });
  await database.db.insertInto('webhook_endpoint').values(rows).execute();
  return secrets;
}

/** The stored secrets that a box can open. */
async function open({ db }: Pick<TestDatabase, 'db'>, box: SecretBox): Promise<Map<string, string>> {
  const rows = await db.selectFrom('webhook_endpoint').select(['id', 'sealed_secret']).orderBy('id').execute();
  return new Map(rows.map(({ id, sealed_secret: sealed }) => [id, box.open(sealed, endpointSecretContext(id))]));
}

const clear = ({ db }: Pick<TestDatabase, 'db'>) => db.deleteFrom('webhook_endpoint').execute();

describeDatabases('resealing stored secrets', (database) => {
  test('seals all of them with the current key, in batches, and none twice', async () => {
    await clear(database());
    const secrets = await store(database(), 25, old);
    const sealedAnew = await store(database(), 2, fresh);
    expect(await resealEndpointSecrets(database().db, both, { batchRows: 4 })).toEqual({
      resealed: 25,
      current: 2,
      unreadable: [],
    });
    expect(await open(database(), fresh)).toEqual(new Map([...secrets, ...sealedAnew]));
    const again = await resealEndpointSecrets(database().db, both, { batchRows: 27 });
    expect(again).toEqual({ resealed: 0, current: 27, unreadable: [] });
    // The former key is not needed any more.
    expect(await resealEndpointSecrets(database().db, fresh)).toEqual(again);
  });

  test('resumes after a crash in the middle; both kinds can be opened meanwhile', async () => {
    await clear(database());
    const secrets = await store(database(), 10, old);
    let seals = 0;
    const dying: SecretBox = {
      ...both,
      seal(text, context) {
        seals += 1;
        if (seals > 6) throw new Error('killed');
        return both.seal(text, context);
      },
    };
    await expect(resealEndpointSecrets(database().db, dying, { batchRows: 4 })).rejects.toThrow('killed');
    expect(await open(database(), both)).toEqual(secrets);
    expect(await resealEndpointSecrets(database().db, both)).toEqual({ resealed: 4, current: 6, unreadable: [] });
    expect(await open(database(), fresh)).toEqual(secrets);
  });

  test('keeps what neither key opens, and names it', async () => {
    await clear(database());
    const secrets = await store(database(), 3, old);
    const lost = await store(database(), 2, createSecretBox(LOST));
    const before = await database().db.selectFrom('webhook_endpoint').select(['id', 'sealed_secret']).execute();
    const result = await resealEndpointSecrets(database().db, both, { batchRows: 2 });
    expect(result).toEqual({ resealed: 3, current: 0, unreadable: [...lost.keys()].sort() });
    for (const { id, sealed_secret: sealed } of before.filter((row) => lost.has(row.id))) {
      const row = await database()
        .db.selectFrom('webhook_endpoint')
        .select('sealed_secret')
        .where('id', '=', id)
        .execute();
      expect(row).toEqual([{ sealed_secret: sealed }]);
    }
    expect(secrets.size).toBe(3);
  });
});

describePostgres('concurrent resealing', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());

  test('by several workers processes each row once', async () => {
    const secrets = await store(database, 120, old);
    const others = await Promise.all(
      [1, 2].map(() => connect({ url: database.url, dataDir: null, poolSize: 1, onConnectionError: () => {} })),
    );
    try {
      const results = await Promise.all(
        [database, ...others].map(({ db }) => resealEndpointSecrets(db, both, { batchRows: 7 })),
      );
      expect(results.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(120);
      for (const { resealed, current } of results) expect(resealed + current).toBe(120);
      expect(await open(database, fresh)).toEqual(secrets);
    } finally {
      for (const other of others) await other.close();
    }
  });

  test('does not undo a secret that is regenerated meanwhile, and tolerates an erased one', async () => {
    await clear(database);
    const merchantId = await createMerchant(database);
    const changing = <T>(work: (change: Parameters<typeof createEndpoint>[0]) => Promise<T>) =>
      database.db.transaction().execute((trx) => work({ trx, who: 'a test', now: 0 }));
    const make = (path: string) =>
      changing((change) =>
        createEndpoint(
          change,
          { secretBox: old, urls: PUBLIC_ONLY, plansEnabled: false },
          { merchantId, url: `https://shop.example/${path}`, events: null },
        ),
      );
    const [first, gone] = [await make('first'), await make('gone')];
    await changing((change) => deleteEndpoint(change, { merchantId, endpointId: gone.endpoint.id }));
    const { id } = first.endpoint;
    // Simulates a process with only the former key, between reading and writing the row. It needs
    // its own connection.
    let regenerated: Promise<{ secret: string }> | null = null;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const isReading = result.rows.some((row) => row.sealed_secret !== undefined && row.id === id);
        if (isReading && regenerated === null) {
          regenerated = changing((change) => regenerateSecret(change, old, { merchantId, endpointId: id }));
          await regenerated;
        }
        return result;
      },
    });
    expect(await resealEndpointSecrets(db, both)).toEqual({ resealed: 1, current: 0, unreadable: [] });
    expect(regenerated).not.toBeNull();
    const { secret } = await (regenerated as unknown as Promise<{ secret: string }>);
    const row = await database.db
      .selectFrom('webhook_endpoint')
      .select('sealed_secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(fresh.open(row.sealed_secret, endpointSecretContext(id))).toBe(secret);
  });

  test.each([
    ['while its row is being resealed', 'as it is read'],
    ['after its row was resealed, before the end', 'as the last one is read'],
  ])('seals both secrets of an endpoint that is rotated by a process with the previous key %s', async (_, moment) => {
    await clear(database);
    const merchantId = await createMerchant(database);
    const [first, second] = [...(await store(database, 2, old))].sort(([one], [other]) => (one < other ? -1 : 1));
    const [id = '', secret] = first ?? [];
    await database.db.updateTable('webhook_endpoint').set({ merchant_id: merchantId }).where('id', '=', id).execute();
    let rotated: string | null = null;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const read = result.rows.filter((row) => row.sealed_secret !== undefined).map((row) => row.id);
        if (rotated === null && read.includes(moment === 'as it is read' ? id : second?.[0])) {
          rotated = '';
          const change = { who: 'a test', now: 0 };
          const made = await database.db
            .transaction()
            .execute((trx) => rotateSecret({ trx, ...change }, old, { merchantId, endpointId: id }));
          rotated = made.secret;
        }
        return result;
      },
    });
    await resealEndpointSecrets(db, both, { batchRows: 1 });
    const row = await database.db
      .selectFrom('webhook_endpoint')
      .select(['sealed_secret', 'previous_sealed_secret'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const context = endpointSecretContext(id);
    expect(fresh.open(row.sealed_secret, context)).toBe(rotated);
    expect(fresh.open(row.previous_sealed_secret ?? '', context)).toBe(secret);
  });
});
