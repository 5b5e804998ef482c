import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Observation } from '../../src/chains/index.ts';
import { isTestAlert } from '../../src/payments/index.ts';
import { recordUnassigned } from '../../src/payments/unassigned/unassigned-payments.ts';
import { newId } from '../../src/platform/ids.ts';
import { deriveAhead } from '../../src/wallets/supply/derive-ahead.ts';
import { type DerivationRange, deriveRows } from '../../src/wallets/supply/derived-rows.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { changeTransactions } from '../support/database/transaction-rows.ts';
import {
  createRecordingBus,
  ETHEREUM,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
  TERMS,
} from './watching/sink-support.ts';

const SUBJECT = 'Coins arrived that belong to no open payment';
/** One more than a payment takes of such an amount. */
const TOO_MANY = 101;
const MAX_TEST_ALERTS = 100;

describeDatabases('notices about coins that belong to no open payment', (database) => {
  const db = () => database().db;
  const { merchantId } = TERMS;
  let sink: ReturnType<typeof openSink>;

  beforeEach(async () => {
    for (const table of ['mail', 'merchant_user', 'wallet'] as const) await db().deleteFrom(table).execute();
    await db().deleteFrom('merchant').execute();
    await db().updateTable('chain_cursor').set({ height: null }).execute();
    const merchant = { id: merchantId, name: 'Shop', email: 'shop@shop.example', plan: 'starter', settings: '{}' };
    await db().insertInto('merchant').values(merchant).execute();
    const user = { id: newId('usr'), merchant_id: merchantId, email: 'ann@shop.example', password_hash: '-' };
    await db().insertInto('merchant_user').values(user).execute();
    sink = openSink({ db: db(), bus: createRecordingBus() });
  });

  const mails = () => db().selectFrom('mail').select(['recipient', 'subject', 'text']).orderBy('id').execute();
  const switchOff = () => db().updateTable('merchant').set({ settings: '{"mailUnassignedCoins": false}' }).execute();

  async function freeAddress(key: string) {
    await deriveAhead(db(), key, { ahead: 2, derive: async (range: DerivationRange) => deriveRows(range) });
    const query = db().selectFrom('address').select(['address', 'watch_key']).where('derivation_key_id', '=', key);
    return query.where('transaction_id', 'is', null).orderBy('derivation_index').executeTakeFirstOrThrow();
  }
  async function openPayment(network: string, crypto: 'LTC' | 'ETH', key?: string) {
    const derivationKeyId = key ?? (await newWallet(db(), network));
    return startPayment(db(), startEngine(db()), { derivationKeyId, network, crypto });
  }

  /** Observations for each reason, with a part of the mail about them. */
  const CASES: readonly (readonly [string, () => Promise<readonly [readonly Observation[], string]>])[] = [
    [
      'an address that was never allocated',
      async () => {
        const key = await newWallet(db(), LITECOIN);
        const wallet = { id: newId('wal'), merchant_id: merchantId, network: LITECOIN, crypto: 'LTC' };
        await db()
          .insertInto('wallet')
          .values({ ...wallet, derivation_key_id: key })
          .execute();
        const { address, watch_key: watchKey } = await freeAddress(key);
        return [[observe({ network: LITECOIN, watchKey, status: inBlock(5) })], `Address: ${address}`];
      },
    ],
    [
      'a free address of a wallet that was replaced',
      async () => {
        const key = await newWallet(db(), LITECOIN);
        await openPayment(LITECOIN, 'LTC', key);
        const { watch_key: watchKey } = await freeAddress(key);
        return [[observe({ network: LITECOIN, watchKey, status: inBlock(5) })], 'https://pay.example/console/wallets'];
      },
    ],
    [
      'a payment that is over',
      async () => {
        const { transactionId, watchKey } = await openPayment(LITECOIN, 'LTC');
        await db().updateTable('address').set({ released_at: new Date() }).where('watch_key', '=', watchKey).execute();
        return [[observe({ network: LITECOIN, watchKey, status: inBlock(5) })], `Payment: ${transactionId}`];
      },
    ],
    [
      'a payment in another coin',
      async () => {
        const { watchKey } = await openPayment(ETHEREUM, 'ETH');
        const seen = observe({ network: ETHEREUM, watchKey, asset: 'DAI', amountBaseUnits: 2n * 10n ** 18n });
        return [[later(seen, inBlock(5))], `Arrived: 2 DAI\nNetwork: ${ETHEREUM}`];
      },
    ],
    [
      'a payment that was paid in too many parts',
      async () => {
        const { transactionId, watchKey } = await openPayment(LITECOIN, 'LTC');
        const dust = () => observe({ network: LITECOIN, watchKey, amountBaseUnits: 600n });
        return [Array.from({ length: TOO_MANY }, dust), `https://pay.example/console/payments/${transactionId}`];
      },
    ],
  ];

  test.each(CASES)('are mailed once, for %s', async (_, arrange) => {
    const [seen, text] = await arrange();
    await sink(seen);
    const [first, ...others] = await mails();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ recipient: 'ann@shop.example', subject: SUBJECT });
    expect(first?.text).toContain(text);
    // The same coins again, out of their block and into another, and read by another watcher.
    await sink(seen);
    await sink(seen.map((each) => later(each, { kind: 'gone', reason: 'reorged' })));
    await sink(seen.map((each) => later(each, inBlock(6))));
    expect(await mails()).toHaveLength(1);
  });

  test.each(CASES)('are not mailed when they are switched off, for %s', async (_, arrange) => {
    await switchOff();
    const [seen] = await arrange();
    await sink(seen);
    expect(await mails()).toEqual([]);
  });

  /** Coins at an address without a payment count as confirmed at the depth of large payments. */
  const DEPTHS = [
    ['a payment that is over', 'in its first block', 5, false],
    ['a payment that is over', 'a block too shallow', 6, false],
    ['a payment that is over', 'as deep as it requires', 7, true],
    ['an address that was never allocated', 'not as deep as large payments require', 15, false],
    ['an address that was never allocated', 'as deep as large payments require', 16, true],
    ['a payment in another coin', 'in its first block', 5, false],
    ['a payment that was paid in too many parts', 'in no block', 100, false],
  ] as const;

  test.each(DEPTHS)('say whether the coins are confirmed: of %s, %s', async (name, _, scannedHeight, isConfirmed) => {
    const [, arrange] = CASES.find(([each]) => each === name) ?? [];
    if (arrange === undefined) throw new Error(`no case is named ${name}`);
    const [seen] = await arrange();
    const network = seen[0]?.network ?? LITECOIN;
    // The first report creates the row of the network.
    await sink([observe({ network, watchKey: 'unowned' })]);
    await db().updateTable('chain_cursor').set({ height: scannedHeight }).where('network', '=', network).execute();
    await sink(seen);
    const [mail] = await mails();
    expect(mail?.text).not.toContain('arrived in your wallet');
    expect(mail?.text.includes('not confirmed yet')).toBe(!isConfirmed);
  });

  test('wait until the coins are in a block, and then list all outputs of a commit in one email', async () => {
    const { watchKey } = await openPayment(LITECOIN, 'LTC');
    await db().updateTable('address').set({ released_at: new Date() }).where('watch_key', '=', watchKey).execute();
    const seen = Array.from({ length: 12 }, (_, index) =>
      observe({ network: LITECOIN, watchKey, amountBaseUnits: BigInt(index + 1) * 100_000n }),
    );
    await sink(seen);
    expect(await mails()).toEqual([]);
    await sink(seen.map((each) => later(each, inBlock(5))));
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Arrived: 0.001 LTC');
    expect(mail?.text).toContain('And 2 more, which your wallet shows.');
  });

  test('cause neither an email nor an alert at a free address of a test wallet', async () => {
    const key = await newWallet(db(), LITECOIN);
    const { watch_key: watchKey } = await freeAddress(key);
    await db().updateTable('derivation_key').set({ mode: 'test' }).where('id', '=', key).execute();
    await db().deleteFrom('operator_alert').execute();
    const alerts = () => db().selectFrom('operator_alert').select('alert').execute();
    const coins = () => observe({ network: LITECOIN, watchKey, status: inBlock(5) });
    await sink([coins()]);
    expect([await alerts(), await mails()]).toEqual([[], []]);
    await db().updateTable('derivation_key').set({ mode: 'live' }).where('id', '=', key).execute();
    await sink([coins()]);
    expect(await alerts()).toEqual([{ alert: 'coins_at_unassigned_address' }]);
  });

  test('are not sent for test payments, which alert to practise with, within the same bound as others', async () => {
    const { transactionId, watchKey } = await openPayment(LITECOIN, 'LTC');
    await changeTransactions(db(), { mode: 'test' }, { id: transactionId });
    await db().updateTable('address').set({ released_at: new Date() }).where('watch_key', '=', watchKey).execute();
    await db().deleteFrom('operator_alert').execute();
    const seen = () => observe({ network: LITECOIN, watchKey, status: inBlock(5) });
    const alerts = async () => {
      const rows = sql<{
        alert: string;
        is_test: boolean;
      }>`select alert, ${isTestAlert} as is_test from operator_alert`;
      return (await rows.execute(db())).rows;
    };
    const recorded = await db()
      .transaction()
      .execute((trx) => recordUnassigned(trx, [seen()], { publicUrl: 'https://pay.example' }));
    expect(recorded.alerts).toEqual([]);
    const [stored] = await alerts();
    expect(stored).toEqual({ alert: 'coins_after_monitoring', is_test: true });
    await sink(Array.from({ length: MAX_TEST_ALERTS - 1 }, seen));
    expect(await alerts()).toHaveLength(MAX_TEST_ALERTS);
    await sink([seen()]);
    expect(await alerts()).toHaveLength(MAX_TEST_ALERTS);
    expect(await mails()).toEqual([]);
  });
});
