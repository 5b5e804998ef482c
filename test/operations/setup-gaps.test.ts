import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLoopback } from '../../src/operations/health/setup-gaps.ts';
import { listSetupGaps, type SetupGapsDeps } from '../../src/operations/index.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';

const READY = { liveNetworks: ['litecoin-mainnet'], sendsMails: true, publicUrl: 'https://pay.example' };
const SOURCE = { source: 'kraken', succeededAt: 5, failedAt: null, failure: null };

describePostgres('the setup checklist of an installation', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());

  const gaps = (installation: Partial<SetupGapsDeps['installation']> = {}, sources = [SOURCE]) =>
    listSetupGaps({
      db: database.db,
      rates: { status: () => sources },
      installation: { ...READY, ...installation },
    });
  const addUser = (id: string, role: 'operator' | 'observer', columns: { totp?: boolean; password?: boolean } = {}) =>
    sql`insert into merchant_user (id, role, email, password_hash, sealed_totp_secret, totp_confirmed_at)
      values (${id}, ${role}, ${`${id}@example.com`}, ${columns.password === false ? null : 'hash'},
        ${columns.totp ? 'sealed' : null}, ${columns.totp ? new Date() : null})`.execute(database.db);

  test('contains everything at first, in setup order', async () => {
    const nothing = { liveNetworks: [], sendsMails: false, publicUrl: 'http://127.0.0.1:8080' };
    await addUser('first', 'operator');
    expect(await gaps(nothing, [])).toEqual([
      'merchant',
      'live_network',
      'wallet',
      'rate_source',
      'public_url',
      'mail',
      'second_operator',
      'second_factor',
    ]);
  });

  test('gets shorter with each completed step, until it is empty', async () => {
    const { db } = database;
    await sql`insert into merchant (id, name, email, plan)
      values ('mer_1', 'Shop', 'shop@example.com', 'free')`.execute(db);
    await sql`insert into derivation_key (id, network, fingerprint, extended_public_key, address_type)
      values ('key_1', 'litecoin-mainnet', 'f1', 'x1', 'p2wpkh')`.execute(db);
    const addWallet = (id: string, merchantId: string | null) =>
      sql`insert into wallet (id, merchant_id, crypto, network, derivation_key_id)
        values (${id}, ${merchantId}, 'LTC', 'litecoin-mainnet', 'key_1')`.execute(db);
    await addWallet('wal_shared', null);
    expect(await gaps()).toEqual(['wallet', 'second_operator', 'second_factor']);
    await addWallet('wal_own', 'mer_1');
    expect(await gaps()).toEqual(['second_operator', 'second_factor']);

    // Neither can help an operator who has lost a login.
    await addUser('observer', 'observer', { totp: true });
    await addUser('invited', 'operator', { password: false });
    expect(await gaps()).toEqual(['second_operator', 'second_factor']);
    await addUser('second', 'operator', { totp: true });
    expect(await gaps()).toEqual(['second_factor']);
    await sql`update merchant_user set disabled_at = now() where id = 'first'`.execute(db);
    await addUser('third', 'operator', { totp: true });
    expect(await gaps()).toEqual([]);
  });
});

test('recognises a local address in every notation', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(octet, octet, octet, fc.integer({ min: 1, max: 65_535 }), (b, c, d, port) => {
      expect(isLoopback(`http://127.${b}.${c}.${d}:${port}`)).toBe(true);
      expect(isLoopback(`http://126.${b}.${c}.${d}:${port}`)).toBe(false);
    }),
  );
  for (const host of ['localhost', 'LOCALHOST.', 'shop.localhost', '127.1', '[::1]', '[0:0:0:0:0:0:0:1]']) {
    expect(isLoopback(`http://${host}/pay`), host).toBe(true);
  }
  for (const host of ['pay.example', '127.pay.example', 'localhost.example', 'notlocalhost', '[2001:db8::1]']) {
    expect(isLoopback(`https://${host}/pay`), host).toBe(false);
  }
});
