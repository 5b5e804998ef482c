import { expect, vi } from 'vitest';
import { upsertMerchant } from '../../../../src/merchants/index.ts';
import { POLLING } from '../../../support/polling.ts';
import type { ConsoleResponse, TestConsole } from '../support/console.ts';
import { MAIL_SERVER } from '../support/console-service.ts';

/** Ids of one merchant's objects: one of each kind that a route can name. */
export interface MerchantResources {
  readonly payment: string;
  readonly schedule: string;
  readonly link: string;
  readonly key: string;
  readonly wallet: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly replay: string;
  readonly user: string;
  readonly session: string;
}

/** Part of every text the merchant sets, so that a leak to another user is detected. */
export const MARK = 'marked-4711';

/** Account 0 of the mnemonic in BIP84. */
export const WALLETS = [
  {
    crypto: 'BTC',
    extended_public_key:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  },
];

const SELLER = 'who-sells-plans';

/** A service that sends mails and sells plans, so that no valid request is rejected. */
export const COMPLETE_SERVICE = { wallets: WALLETS, env: { OPERATOR_MERCHANT: SELLER, ...MAIL_SERVER } };

/** The merchant that receives plan payments in such a service. */
export async function addSeller({ db }: TestConsole): Promise<void> {
  const seller = { name: SELLER, email: 'seller@example.com', plan: 'enterprise', settings: {} } as const;
  await db.transaction().execute((trx) => upsertMerchant(trx, seller));
}

const CUSTOMER = `${MARK}@example.com`;

/** Creates one of everything for a merchant, marked, in test mode where there are modes. */
export async function createResources(console: TestConsole, mark = MARK): Promise<MerchantResources> {
  const ask = async (path: string, body?: unknown) =>
    expectDone(await console.call('owner', { path, ...(body === undefined ? {} : { method: 'POST' as const, body }) }));
  const rest = async (path: string, body: unknown) => expectDone(await console.api({ method: 'POST', path, body }));

  const { transaction_id: payment } = await rest('/transactions/create-detailed', {
    crypto: 'LTC',
    order_id: mark,
    customer_email: CUSTOMER,
    items: [{ name: mark, quantity: 1, price: 25 }],
    metadata: { note: mark },
  });
  await rest(`/transactions/${payment}/simulate`, { action: 'advance_clock', seconds: 3_600 });
  await rest(`/transactions/${payment}/simulate`, { action: 'pay_late' });
  const { schedule_id: schedule } = await rest('/recurring/create', {
    customer_email: CUSTOMER,
    amount: 10,
    interval: 'monthly',
    description: mark,
    reference: mark,
  });
  const { slug: link } = await ask('/merchant/links', {
    mode: 'test',
    title: mark,
    amount: '12.50',
    currency: 'EUR',
    slug: `first-${console.merchantId.slice(-8)}`,
  });
  const { id: key } = await ask('/merchant/keys', { kind: 'secret', mode: 'test', name: mark });
  const { id: endpoint } = await ask('/merchant/webhooks', {
    url: 'https://hooks.example.com/shop',
    modes: ['live'],
    description: mark,
  });
  await ask(`/merchant/webhooks/${endpoint}/test`, { event: 'payment.completed' });
  const { id: replay } = await ask(`/merchant/webhooks/${endpoint}/replays`, { since: Date.now() - 3_600_000 });
  const [delivery] = await vi.waitUntil(async () => someOf(await deliveriesOf(console, endpoint)), POLLING);
  const [user] = await ask('/users');
  const [session] = await ask('/sessions');
  const [wallet] = (await ask('/merchant/wallets')).wallets;
  return {
    payment,
    schedule,
    link,
    key,
    wallet: wallet.id,
    endpoint,
    delivery: delivery?.id ?? '',
    replay,
    user: user.id,
    session: session.id,
  };
}

// Helpers

async function deliveriesOf(console: TestConsole, endpoint: string): Promise<readonly { readonly id: string }[]> {
  return (await console.call('owner', { path: `/merchant/webhooks/${endpoint}/deliveries` })).data.deliveries;
}

/** Null for an empty list, so that it can be polled. */
function someOf<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

function expectDone({ status, data, text }: ConsoleResponse): ConsoleResponse['data'] {
  expect(status, text).toBeLessThan(300);
  return data;
}
