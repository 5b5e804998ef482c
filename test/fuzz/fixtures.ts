import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { DAY_MS } from '../../machines/index.ts';
import { assignPlan } from '../../src/billing/index.ts';
import type { LinkTerms } from '../../src/links/index.ts';
import {
  allowAddresses,
  attachWallet,
  createKey,
  type IssuedKeys,
  issueKeys,
  revokeKey,
  upsertMerchant,
} from '../../src/merchants/index.ts';
import { addLink, shutLink } from '../links/links-app.ts';
import type { TestApp } from '../support/service/app.ts';

/**
 * Shops of the run: two whose data must never mix, the operator they buy plans from, and one with
 * an expired plan and a tight rate limit. Each has data in both modes.
 */
export const SHOPS = ['ann', 'bob', 'operator', 'lapsed'] as const;
export type Shop = (typeof SHOPS)[number];
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** One shop in one mode: what one key may read. */
export type Scope = `${Shop}.${Mode}`;
export const SCOPES = SHOPS.flatMap((shop) => MODES.map((mode): Scope => `${shop}.${mode}`));

/** Receives payments for plans; named in the options of the app. */
export const OPERATOR_MERCHANT = 'operator';
export const OPERATOR_TOKEN = 'operator_token_of_tests';
/** The plan of the rate-limited shop. */
export const TIGHT_PLAN = 'business';

export interface Fixtures {
  readonly keys: ReadonlyMap<string, string>;
  /** Slugs of payment links that exist; all shops use the same ones. */
  readonly slugs: readonly string[];
  readonly merchantIds: ReadonlyMap<string, Shop>;
  /** Origin of the server that receives the webhooks of all shops. */
  readonly receiver: string;
}

/** Creates shops, keys, wallets and links. Keys have names such as `ann.sk_test`. */
export async function createFixtures(
  app: TestApp,
  { markOf, receiver }: { markOf: (scope: Scope) => string } & Pick<Fixtures, 'receiver'>,
): Promise<Fixtures> {
  const keys = new Map<string, string>([['operator token', OPERATOR_TOKEN]]);
  const merchantIds = new Map<string, Shop>();
  for (const shop of SHOPS) {
    const { id, issued } = await addShop(app, shop);
    merchantIds.set(id, shop);
    for (const [name, key] of Object.entries(issued)) keys.set(`${shop}.${name}`, key);
    for (const [name, key] of await addSpecialKeys(app, id)) keys.set(`${shop}.${name}`, key);
    for (const mode of MODES) await addLinks(app, { id, mode, mark: markOf(`${shop}.${mode}`) });
  }
  const { db } = app.connection;
  const expiresAt = app.clock.now() - 400 * DAY_MS;
  await assignPlan(db, { merchantName: 'lapsed', tier: TIGHT_PLAN, expiresAt });
  return { keys, merchantIds, receiver, slugs: Object.keys(LINKS) };
}

// Helpers

async function addShop(app: TestApp, shop: Shop): Promise<{ id: string; issued: IssuedKeys }> {
  const { db } = app.connection;
  const made = await db.transaction().execute(async (trx) => {
    const merchant = { name: shop, email: `${shop}@example.com`, plan: PLANS[shop], settings: {} };
    const { id } = await upsertMerchant(trx, merchant);
    return { id, issued: await issueKeys(trx, id, app.clock.now()) };
  });
  const spec = { crypto: 'LTC', extendedPublicKey: accountKeyOf(shop), addressType: 'p2wpkh' } as const;
  await attachWallet(db, { merchantId: made.id, mode: 'live', spec, networkKind: 'mainnet' });
  return made;
}

/**
 * A separate wallet per shop (BIP44): with a shared one, an address would not identify its shop.
 */
function accountKeyOf(shop: Shop): string {
  const seed = sha512(new TextEncoder().encode(`a wallet for the fuzz: ${shop}`));
  return HDKey.fromMasterSeed(seed).derive("m/84'/2'/0'").publicExtendedKey;
}

/** A revoked key, one limited to other addresses, and one with one open payment per customer. */
async function addSpecialKeys(app: TestApp, merchantId: string): Promise<[string, string][]> {
  const { db } = app.connection;
  return db.transaction().execute(async (trx) => {
    const change = { trx, who: 'test', now: app.clock.now() };
    const spec = { merchantId, kind: 'secret', mode: 'test', name: '', oneOpenPaymentPerIp: false } as const;
    const revoked = await createKey(change, spec);
    await revokeKey(change, { merchantId, keyId: revoked.id });
    const elsewhere = await createKey(change, spec);
    const terms = { requests: { perMinute: 1, perHour: 1 }, ipWhitelist: true };
    await allowAddresses(change, { merchantId, keyId: elsewhere.id, terms, cidrs: ['192.0.2.0/24'] });
    const single = await createKey(change, { ...spec, kind: 'publishable', oneOpenPaymentPerIp: true });
    return [
      ['revoked', revoked.key],
      ['elsewhere', elsewhere.key],
      ['pk_test_single', single.key],
    ];
  });
}

const LINKS: Readonly<Record<string, Partial<LinkTerms>>> = {
  fixed: { maxUses: null },
  open: { maxUses: null, price: { kind: 'open', minCents: 100n, maxCents: 500_000n }, currency: 'EUR' },
  coin: { maxUses: null, cryptos: ['LTC', 'ETH'], successUrl: 'https://shop.example.com/thanks' },
  'used-up': { maxUses: 1 },
  over: { maxUses: null },
};

async function addLinks(
  app: TestApp,
  { id, mode, mark }: { readonly id: string; readonly mode: Mode; readonly mark: string },
): Promise<void> {
  const { db } = app.connection;
  for (const [slug, terms] of Object.entries(LINKS)) {
    const described = { title: `${slug} ${mark}`, description: `by ${mark}` };
    await addLink(app, { id, keys: NO_KEYS }, { mode, slug, ...described, ...terms });
  }
  await shutLink(app, { merchantId: id, mode, slug: 'over' });
  const { numUpdatedRows } = await db
    .updateTable('payment_link')
    .set({ uses: 1 })
    .where('merchant_id', '=', id)
    .where('mode', '=', mode)
    .where('slug', '=', 'used-up')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error('the link that is used up was not found');
}

/** Bob's plan can be upgraded. */
const PLANS: Readonly<Record<Shop, string>> = {
  ann: 'enterprise',
  bob: 'starter',
  operator: 'enterprise',
  lapsed: TIGHT_PLAN,
};

/** Links need only the merchant id. */
const NO_KEYS: IssuedKeys = { sk_live: '', sk_test: '', pk_live: '', pk_test: '' };
