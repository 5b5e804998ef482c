import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { WalletInfo, WalletList, WalletPreview } from '../../../../src/http/console/merchant/wallets/schemas.ts';
import { attachWallet, listReplacedWallets, upsertMerchant } from '../../../../src/merchants/index.ts';
import { describePostgres } from '../../../support/database/test-database.ts';
import { insertTransactions } from '../../../support/database/transaction-rows.ts';
import { createTestWallet } from '../../../support/nodes/wallet.ts';
import { POLLING } from '../../../support/polling.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { base58check, loadVectors } from '../../../wallets/support.ts';
import { type ConsoleRequest, startConsole, type TestConsole } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

interface Vector {
  readonly coin: string;
  readonly scriptType: string;
  readonly key: string;
  readonly addresses: readonly { readonly change: number; readonly index: number; readonly address: string }[];
}

/** Two of the published account keys with their first five addresses. */
const VECTORS = loadVectors<{ vectors: (Vector & { network: string; prefix?: string })[] }>('hd-derivation')
  .vectors.filter((vector) => vector.network === 'mainnet' && vector.prefix !== undefined && isReceiveChain(vector))
  .slice(0, 2);
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describeConsole('the wallets of a merchant', {}, (console) => {
  const asOwner = (request: ConsoleRequest) => console.call('owner', request);
  const list = async (): Promise<WalletList> => (await asOwner({ path: '/merchant/wallets' })).data;
  const walletFor = async (crypto: string): Promise<WalletInfo | undefined> =>
    (await list()).wallets.find(({ cryptos }) => cryptos.includes(crypto));
  const preview = (body: unknown) => asOwner({ method: 'POST', path: '/merchant/wallets/preview', body });
  const attach = (body: unknown) => asOwner({ method: 'POST', path: '/merchant/wallets', body });

  /** What the page sends after the user has compared the addresses of a key. */
  async function compared(cryptos: readonly string[], extendedPublicKey: string, more: object = {}) {
    const { addressType, addresses }: WalletPreview = (await preview({ crypto: cryptos[0], extendedPublicKey })).data;
    const firstAddress = addresses[0]?.address;
    return { cryptos, extendedPublicKey, addressType, firstAddress, isMatching: true, replaces: false, ...more };
  }

  async function auditOf(what: string) {
    const rows = await console.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('what', '=', what)
      .orderBy('id')
      .execute();
    return rows.filter((row) => row.merchant_id === console.merchantId);
  }

  test.each(VECTORS)('are previewed with the published addresses: $coin as $scriptType', async (vector) => {
    const { coin: crypto, key, scriptType, addresses } = vector;
    const { status, data } = await preview({ crypto, extendedPublicKey: ` ${key}\n`, addressType: scriptType });
    expect([status, data.addressType]).toEqual([200, scriptType]);
    expect(data.addresses.map(({ address }: { address: string }) => address)).toEqual(
      addresses.slice(0, 5).map(({ address }) => address),
    );
  });

  test('never accept a private key: it is rejected with a warning and leaves no trace', async () => {
    const before = await rowsOf(console);
    await assertAsyncProperty(
      fc.asyncProperty(
        fc.constantFrom('phrase', 'extended key', 'WIF'),
        fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some((byte) => byte !== 0)),
        async (form, seed) => {
          const secret = secretOf(form, seed);
          const common = { addressType: 'p2wpkh', firstAddress: 'ltc1q', isMatching: true, replaces: true };
          const responses = [
            await preview({ crypto: 'LTC', extendedPublicKey: secret }),
            await attach({ cryptos: ['LTC'], extendedPublicKey: secret, ...common }),
          ];
          for (const { status, error, message, text } of responses) {
            expect([status, error]).toEqual([400, 'PRIVATE_KEY_REFUSED']);
            expect(message).toContain('treat it as exposed');
            expect(text).not.toContain(secret);
          }
          expect(JSON.stringify(console.logLines())).not.toContain(secret);
        },
      ),
      { numRuns: 20 },
    );
    expect(await rowsOf(console)).toEqual(before);
  });

  test('are set once a user has compared them', async () => {
    const key = newAccount();
    const body = await compared(['BTC'], key);
    const untouched = await rowsOf(console);
    expect(await attach({ ...body, isMatching: false })).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    const other = await compared(['BTC'], newAccount());
    const swapped = await attach({ ...body, firstAddress: other.firstAddress });
    expect(swapped).toMatchObject({ status: 409, error: 'ADDRESS_MISMATCH' });
    expect(await rowsOf(console)).toEqual(untouched);

    expect(await attach(body)).toMatchObject({ status: 201, data: { attached: ['BTC'], replaced: [] } });
    const wallet = await walletFor('BTC');
    expect(wallet).toMatchObject({
      chainName: 'Bitcoin',
      networkKind: 'mainnet',
      cryptos: ['BTC'],
      addressType: 'p2pkh',
      allocated: 0,
      nextIndex: 0,
      lastPaidIndex: null,
      warning: null,
      problem: expect.stringContaining('Live payments on Bitcoin are not accepted now'),
    });
    expect(wallet?.firstAddresses).toHaveLength(5);
    expect(wallet?.firstAddresses[0]).toBe(body.firstAddress);
    const [entry] = await auditOf('wallet.attached');
    expect(entry).toMatchObject({
      subject_id: wallet?.id,
      who: expect.stringMatching(/^user usr_/),
      details: {
        network: 'bitcoin-mainnet',
        cryptos: ['BTC'],
        keyFingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
    const sent = JSON.stringify([await list(), entry, console.logLines()]);
    expect(sent).not.toContain(key);
  });

  test('are replaced only on request, and the same key changes nothing', async () => {
    const [one, two] = [newAccount(), newAccount()];
    await attach(await compared(['DOGE'], one));
    const again = await attach(await compared(['DOGE'], one));
    expect(again).toMatchObject({ status: 201, data: { attached: [], replaced: [] } });
    const unrequested = await attach(await compared(['DOGE'], two));
    expect(unrequested).toMatchObject({
      status: 409,
      error: 'WALLET_EXISTS',
      message: expect.stringContaining('DOGE'),
    });
    const first = (await compared(['DOGE'], one)).firstAddress;
    expect((await walletFor('DOGE'))?.firstAddresses[0]).toBe(first);
    await console.db.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('derivation_key')
        .select('id')
        .where('extended_public_key', '=', one)
        .executeTakeFirstOrThrow();
      await sql`insert into address (network, address, watch_key, derivation_key_id, derivation_index)
        values ('dogecoin-mainnet', ${first}, ${first}, ${id}, 0)`.execute(trx);
    });
    const requested = await attach(await compared(['DOGE'], two, { replaces: true }));
    expect(requested).toMatchObject({ status: 201, data: { attached: [], replaced: ['DOGE'] } });
    expect((await walletFor('DOGE'))?.firstAddresses[0]).not.toBe(first);
    expect(
      await console.db
        .selectFrom('address')
        .select('address')
        .where('address', '=', first ?? '')
        .execute(),
    ).toHaveLength(1);
    expect(await auditOf('wallet.replaced')).toHaveLength(1);
    const { email } = console.users.owner;
    for (const who of ['owner', 'staff'] as const) {
      const { data } = await console.call(who, { path: '/merchant/overview?mode=test' });
      expect(data.replacedWallets).toMatchObject([{ network: 'dogecoin-mainnet', cryptos: ['DOGE'], by: email }]);
    }
    const { merchantId } = console;
    for (const [days, announced] of [
      [6, 1],
      [7, 0],
    ] as const) {
      const now = Date.now() + days * DAY_MS;
      expect(await listReplacedWallets(console.db, { merchantId, now })).toHaveLength(announced);
    }
    const mailed = await console.db
      .selectFrom('mail')
      .select(['recipient', 'text'])
      .where('merchant_id', '=', merchantId)
      .where('subject', '=', 'A wallet was replaced')
      .execute();
    const owners = await console.db
      .selectFrom('merchant_user')
      .select('email')
      .where('merchant_id', '=', merchantId)
      .where('role', '=', 'owner')
      .execute();
    expect(mailed.map(({ recipient }) => recipient).toSorted()).toEqual(owners.map((owner) => owner.email).toSorted());
    for (const { text } of mailed) expect(text).toContain('DOGE');
    expect(
      (await auditOf('wallet.attached')).filter(({ details }) => JSON.stringify(details).includes('DOGE')),
    ).toHaveLength(1);
  });

  test('serve all coins of one chain with one key, and never those of two', async () => {
    const key = newAccount();
    const body = await compared(['ETH', 'USDT', 'USDC'], key);
    const mixed = await attach({ ...body, cryptos: ['ETH', 'BTC'] });
    expect(mixed).toMatchObject({ status: 400, message: expect.stringContaining('cryptos') });
    expect(await attach(body)).toMatchObject({ status: 201, data: { attached: ['ETH', 'USDT', 'USDC'] } });
    const { wallets, chains } = await list();
    const mine = wallets.filter(({ chainName }) => chainName === 'Ethereum');
    expect(mine).toEqual([expect.objectContaining({ cryptos: ['ETH', 'USDC', 'USDT'], addressType: 'evm' })]);
    const coins = chains.find(({ chain }) => chain === 'ethereum')?.coins ?? [];
    expect(coins.filter(({ isAttached }) => isAttached).map(({ symbol }) => symbol)).toEqual(['ETH', 'USDT', 'USDC']);
    expect(coins.find(({ symbol }) => symbol === 'DAI')).toMatchObject({ isToken: true, isAttached: false });
  });

  test('of another merchant are rejected: the merchant learns nothing, the operators learn of it', async () => {
    const key = newAccount();
    const other = await newMerchant(console, 'DASH', key);
    const body = await compared(['DASH'], key, { replaces: true });
    const before = await list();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await attach(body);
      expect(refused).toMatchObject({
        status: 409,
        error: 'WALLET_SHARED',
        message: expect.stringMatching(
          /extended public key.*another account \(derivation path\).*contact the operator/,
        ),
      });
      for (const secret of [key, other.walletId, other.merchantId]) expect(refused.text).not.toContain(secret);
    }
    expect(await list()).toEqual(before);
    const details = { network: 'dash-mainnet', cryptos: ['DASH'] };
    const entry = expect.objectContaining({ subject_id: other.derivationKeyId, details });
    expect(await auditOf('wallet.refused')).toEqual([entry, entry]);
    const shown = await asOwner({ path: '/merchant/audit?what=wallet' });
    expect(shown.data.entries[0]).toMatchObject({ what: 'wallet.refused', subject: { name: null } });
    const open = console.db.selectFrom('operator_alert').select('detail').where('alert', '=', 'wallet_refused');
    const alerts = await open.execute();
    expect(alerts).toHaveLength(1);
    for (const id of [console.merchantId, other.merchantId, 'dash-mainnet', other.derivationKeyId]) {
      expect(alerts[0]?.detail).toContain(id);
    }
    expect(alerts[0]?.detail).not.toContain(key);
  });

  test('that the operator lets another merchant share have the same addresses and nothing else', async () => {
    const key = newAccount();
    const other = await newMerchant(console, 'DASH', key);
    const foreign = await newMerchant(console, 'DASH', newAccount());
    expect(await walletFor('DASH')).toBeUndefined();
    await allocate(console, other.derivationKeyId, 3);
    await shareKey(console, 'DASH', key);
    const mine = await walletFor('DASH');
    expect(mine).toMatchObject({ allocated: 3, nextIndex: 3, unusedRun: 3 });
    const seen = await asOwner({ path: '/merchant/wallets' });
    for (const secret of [key, other.walletId, other.merchantId, foreign.walletId, foreign.derivationKeyId]) {
      expect(seen.text).not.toContain(secret);
    }
    const skip = (id: string | undefined) =>
      asOwner({ method: 'POST', path: `/merchant/wallets/${id}/skip`, body: { count: 1 } });
    expect(await skip(foreign.walletId)).toMatchObject({ status: 404, error: 'WALLET_NOT_FOUND' });
    expect(await skip('wal_nothing')).toMatchObject({ status: 404, error: 'WALLET_NOT_FOUND' });
    expect(await skip(mine?.id)).toMatchObject({ status: 409, error: 'WALLET_SHARED' });
  });

  test('warn when they have run ahead of the payments, and skip addresses that are in use elsewhere', async () => {
    const key = newAccount();
    await attach(await compared(['LTC'], key));
    const { id: keyId } = await console.db
      .selectFrom('derivation_key')
      .select('id')
      .where('extended_public_key', '=', key)
      .executeTakeFirstOrThrow();
    await allocate(console, keyId, 21);
    const wallet = await walletFor('LTC');
    expect(wallet).toMatchObject({
      allocated: 21,
      nextIndex: 21,
      unusedRun: 21,
      warning: expect.stringContaining('21 addresses in a row'),
    });
    const skip = (body: unknown) => asOwner({ method: 'POST', path: `/merchant/wallets/${wallet?.id}/skip`, body });
    for (const count of [0, 101, 1.5, 'many']) {
      expect(await skip({ count })).toMatchObject({ status: 400, message: expect.stringContaining('count') });
    }
    expect(await skip({ count: 7 })).toMatchObject({ status: 200, data: { lastSkippedIndex: 27 } });
    expect(await walletFor('LTC')).toMatchObject({ allocated: 21, nextIndex: 28 });
    expect(await auditOf('wallet.addresses_skipped')).toEqual([
      expect.objectContaining({
        subject_id: wallet?.id,
        details: { network: 'litecoin-mainnet', count: 7, lastSkippedIndex: 27 },
      }),
    ]);
    // Nine of twelve concurrent requests fit into the day. They wait for each other, on a slow
    // machine for longer than a statement may take.
    const skipInTime = async (): Promise<number> => {
      const { status } = await skip({ count: 100 });
      return status === 503 ? skipInTime() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, skipInTime));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array(9).fill(200), ...Array(3).fill(429)]);
    expect(await skip({ count: 94 })).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' });
    expect((await walletFor('LTC'))?.nextIndex).toBe(928);
    expect((await skip({ count: 93 })).status).toBe(200);
  });

  test('give owners their taken addresses as CSV: with path, payment and its status, and nothing of others', async () => {
    const key = newAccount();
    const other = await newMerchant(console, 'DASH', key);
    await shareKey(console, 'DASH', key);
    await allocate(console, other.derivationKeyId, 2);
    await asCopyOfPayment(other.derivationKeyId);
    const wallet = await walletFor('DASH');
    const path = `/merchant/wallets/${wallet?.id}/addresses.csv`;
    const { text, status } = await asOwner({ path });
    const [, first, second, ...rest] = text.trim().split('\r\n');
    const [one, two] = [`${other.derivationKeyId}1`, `${other.derivationKeyId}2`];
    expect([status, rest]).toEqual([200, []]);
    expect(first).toMatch(new RegExp(`^0,0/0,${one},payment,\\d{4}-.*Z,yes,txn_\\w+,DASH,completed,$`));
    expect(second).toMatch(new RegExp(`^1,0/1,${two},other_account,,,,,,$`));
    expect(await asOwner({ path: `/merchant/wallets/${other.walletId}/addresses.csv` })).toMatchObject({
      status: 404,
      error: 'WALLET_NOT_FOUND',
    });
  });

  /**
   * Makes the payment of the first address one of this merchant, by the record of another payment.
   */
  async function asCopyOfPayment(keyId: string): Promise<void> {
    await console.api({ method: 'POST', path: '/transactions/create', body: { crypto: 'LTC', amount: 25 } });
    const copy = sql`
      select copy.* from address
      cross join (select * from transaction where merchant_id = ${console.merchantId} limit 1) as one
      cross join lateral jsonb_populate_record(null::transaction, to_jsonb(one) || jsonb_build_object(
        'id', address.transaction_id, 'crypto', 'DASH', 'status', 'completed', 'deposit_address', address.address
      )) as copy
      where derivation_key_id = ${keyId} and derivation_index = 0`;
    await insertTransactions(console.db, sql`(${copy}) as given`);
  }

  test('name the field of an invalid request and change nothing', async () => {
    const before = await rowsOf(console);
    const body = await compared(['LTC'], newAccount());
    const bad: readonly (readonly [string, object])[] = [
      ['cryptos', { ...body, cryptos: [] }],
      ['cryptos[0]', { ...body, cryptos: ['XMR'] }],
      ['extendedPublicKey', { ...body, extendedPublicKey: 7 }],
      ['addressType', { ...body, addressType: 'p2tr' }],
      ['firstAddress', { ...body, firstAddress: '' }],
      ['isMatching', { ...body, isMatching: 'yes' }],
      ['replaces', { ...body, replaces: undefined }],
      ['more', { ...body, more: 1 }],
    ];
    for (const [field, request] of bad) {
      const response = await attach(request);
      expect(response).toMatchObject({ status: 400, message: expect.stringContaining(field) });
    }
    const wrong = await preview({ crypto: 'LTC', extendedPublicKey: 'xpub-and-more' });
    expect(wrong).toMatchObject({
      status: 400,
      error: 'INVALID_EXTENDED_KEY',
      message: expect.stringMatching(/[^.]\.$/),
    });
    expect(await rowsOf(console)).toEqual(before);
  });
});

describePostgres('a wallet on a connected network', () => {
  test('is derived for that network, and accepts live payments immediately, the first at its first address', async () => {
    const env = {
      LTC_NETWORK: 'regtest',
      // No node listens there: payments start all the same, and are watched once one does.
      LTC_RPC_URL: 'http://127.0.0.1:9',
      RATES_FIXED: '{"LTC":"80","EUR":"1.1"}',
    };
    const console = await startConsole({ env });
    try {
      const own = createTestWallet('a shop on a test network');
      const { extendedPublicKey } = own;
      const { data: preview } = await console.call('owner', {
        method: 'POST',
        path: '/merchant/wallets/preview',
        body: { crypto: 'LTC', extendedPublicKey },
      });
      expect(preview).toMatchObject({ prefix: 'vpub', addressType: 'p2wpkh', warnings: [], alternatives: [] });
      const addresses = preview.addresses.map(({ address }: { address: string }) => address);
      expect(addresses).toEqual([0, 1, 2, 3, 4].map((index) => own.addressAt(index)));
      const body = {
        cryptos: ['LTC'],
        extendedPublicKey,
        addressType: 'p2wpkh',
        firstAddress: own.addressAt(0),
        isMatching: true,
        replaces: false,
      };
      expect((await console.call('owner', { method: 'POST', path: '/merchant/wallets', body })).status).toBe(201);
      const seen = async () => (await console.call('staff', { path: '/merchant/wallets' })).data.wallets;
      expect(await seen()).toMatchObject([{ networkKind: 'regtest', problem: null, nextIndex: 0, allocated: 0 }]);
      const { data: paid, message } = await console.api({
        method: 'POST',
        path: '/transactions/create',
        key: 'sk_live',
        body: { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' },
      });
      expect(message).toBeUndefined();
      expect(paid.deposit_address).toBe(own.addressAt(0));
      // Polled, because addresses are derived ahead in the background.
      await expect
        .poll(seen, POLLING)
        .toMatchObject([{ nextIndex: 1, allocated: 1, unusedRun: 1, lastPaidIndex: null }]);
      const { data: overview } = await console.call('staff', { path: '/merchant/overview?mode=live' });
      expect(overview.firstRun).toMatchObject({ hasWallet: true, canBePaid: true });
    } finally {
      await console.close();
    }
  }, 60_000);
});

// Helpers

function isReceiveChain({ addresses }: Vector): boolean {
  return addresses.slice(0, 5).filter(({ change, index }, position) => change === 0 && index === position).length === 5;
}

function newAccount(): string {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/2'/0'").publicExtendedKey;
}

function secretOf(form: string, seed: Uint8Array): string {
  if (form === 'phrase') return PHRASE;
  if (form === 'WIF') return base58check.encode(Uint8Array.from([0xb0, ...seed, 1]));
  return HDKey.fromMasterSeed(seed).derive("m/84'/2'/0'").privateExtendedKey;
}

/** Row counts of every table that adding a wallet writes. */
async function rowsOf({ db }: TestConsole) {
  const { rows } = await sql`
    select (select count(*) from wallet) as wallets, (select count(*) from derivation_key) as keys,
      (select count(*) from audit_entry where what like 'wallet.%') as audited`.execute(db);
  return rows;
}

async function newMerchant({ db }: TestConsole, crypto: 'DASH', extendedPublicKey: string) {
  const merchant = { name: `Shop ${randomUUID()}`, email: `${randomUUID()}@shop.test`, plan: 'starter', settings: {} };
  const { id: merchantId } = await db.transaction().execute((trx) => upsertMerchant(trx, merchant));
  await attachWallet(db, { merchantId, mode: 'live', spec: { crypto, extendedPublicKey }, networkKind: 'mainnet' });
  const row = await db
    .selectFrom('wallet')
    .select(['id as walletId', 'derivation_key_id as derivationKeyId'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { merchantId, ...row };
}

/** As the operator does it with a provisioning file. */
async function shareKey({ db, merchantId }: TestConsole, crypto: 'DASH', extendedPublicKey: string): Promise<void> {
  await attachWallet(db, { merchantId, mode: 'live', spec: { crypto, extendedPublicKey }, networkKind: 'mainnet' });
}

/** Assigns the first addresses of a key to payments. */
async function allocate({ db }: TestConsole, keyId: string, count: number): Promise<void> {
  await sql`
    with key as (update derivation_key set next_index = ${count} where id = ${keyId} returning id, network)
    insert into address (network, address, watch_key, derivation_key_id, derivation_index, transaction_id, taken_at)
    select key.network, key.id || index, key.id || index, key.id, index - 1, 'txn_' || key.id || index, now()
    from key, generate_series(1, ${count}) as index`.execute(db);
}
