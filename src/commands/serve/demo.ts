import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { createUserWithPassword } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { type Caller, type Change, DEFAULT_SETTINGS, issueKeys, upsertMerchant } from '../../merchants/index.ts';
import { type CreateDeps, createTransaction } from '../../payments/index.ts';

/** A merchant to try things with, made when an embedded database has no merchant at all. */
export interface Demo {
  /** Makes the demo merchant if there is none; true when there is one now. */
  prepare(): Promise<boolean>;
  isReady(): boolean;
  /** Null while there is none. */
  merchantId(): string | null;
  /** Starts a test payment of the demo merchant and returns the address of its page; null without a demo merchant. */
  pay(): Promise<string | null>;
  /** What the person at the terminal is told. */
  invitation(): string;
}

const DEMO_MERCHANT = 'Demo shop';
const DEMO_PLAN = 'professional';
/** One to see the merchant's pages with, one to see the operator's. */
const DEMO_OWNER = 'owner@example.com';
const DEMO_OPERATOR = 'operator@example.com';
const KEYS_FILE = 'demo-keys.json';

export function createDemo(deps: {
  db: Kysely<Database>;
  clock: Clock;
  dataDir: string;
  create: CreateDeps;
  publicUrl: string;
}): Demo {
  const { db, clock, dataDir, create, publicUrl } = deps;
  const keysFile = join(dataDir, KEYS_FILE);
  let merchantId: string | null = null;

  return {
    async prepare() {
      merchantId = await findDemoMerchant(db);
      if (merchantId !== null) return true;
      const { rows } = await sql`select 1 from merchant limit 1`.execute(db);
      if (rows.length > 0) return false;
      merchantId = await db.transaction().execute(async (trx) => {
        const merchant = await upsertMerchant(trx, {
          name: DEMO_MERCHANT,
          email: 'demo@example.com',
          plan: DEMO_PLAN,
          settings: {},
        });
        const { sk_test, pk_test } = await issueKeys(trx, merchant.id, clock.now());
        await mkdir(dataDir, { recursive: true });
        const change = { trx, who: 'demo', now: clock.now() };
        const owner = await login(change, { email: DEMO_OWNER, role: 'owner', merchantId: merchant.id });
        const operator = await login(change, { email: DEMO_OPERATOR, role: 'operator', merchantId: null });
        const secrets = { sk_test, pk_test, console: { owner, operator } };
        await writeFile(keysFile, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
        return merchant.id;
      });
      return true;
    },

    isReady: () => merchantId !== null,
    merchantId: () => merchantId,

    async pay() {
      if (merchantId === null) return null;
      const request = { crypto: 'LTC', amount: 25, currencyFiat: 'USD', metadata: null } as const;
      const nowhere = { customerEmail: null, successUrl: null, cancelUrl: null };
      const { transaction } = await createTransaction(create, demoCaller(merchantId), { ...request, ...nowhere }, null);
      return transaction.payment_url;
    },

    invitation: () =>
      [
        '',
        `  Open ${publicUrl}/ to make a test payment in the browser.`,
        `  API keys of the demo merchant: ${keysFile}`,
        `  API: ${publicUrl}/v1`,
        `  Dashboard: ${publicUrl}/console/ (sign in as ${DEMO_OWNER}; as ${DEMO_OPERATOR} to see the service at work;`,
        '    both passwords are in the same file)',
        '',
      ].join('\n'),
  };
}

// Helpers

async function login(change: Change, user: Parameters<typeof createUserWithPassword>[1]) {
  const { password } = await createUserWithPassword(change, user);
  return { email: user.email, password };
}

/** The demo page acts for the demo merchant without a key of its own. */
function demoCaller(merchantId: string): Caller {
  return { merchantId, keyId: 'demo-page', kind: 'secret', mode: 'test', plan: DEMO_PLAN, settings: DEFAULT_SETTINGS };
}

async function findDemoMerchant(db: Kysely<Database>): Promise<string | null> {
  const row = await db.selectFrom('merchant').select('id').where('name', '=', DEMO_MERCHANT).executeTakeFirst();
  return row?.id ?? null;
}
