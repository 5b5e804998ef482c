import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { createUserWithPassword } from '../../accounts/index.ts';
import { type AuditedChange, type Caller, DEFAULT_SETTINGS, issueKeys, upsertMerchant } from '../../merchants/index.ts';
import { type CreateDeps, createTransaction } from '../../payments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { DEMO_MERCHANT } from '../../platform/demo-merchant.ts';
import { TerminalError } from '../../platform/errors.ts';
import { replaceSecretFile } from '../../platform/secrets/index.ts';
import { changeEndpoint, createEndpoint, type EndpointDeps, listEndpoints } from '../../webhooks/index.ts';
import { isReceiverUrl } from './received-webhooks.ts';

/**
 * A merchant for trying out the service, created when an embedded database has no merchant. Its
 * pages are public as long as it is the only merchant. The database is queried each time, because
 * other merchants may sign up while the service runs.
 */
export interface Demo {
  /**
   * Creates the demo merchant if there is no merchant, and its webhook endpoint at `receiverUrl` if
   * it never had one; returns true when the demo is open. Until this is called, the demo stays
   * closed.
   */
  prepare(): Promise<boolean>;
  /** The demo merchant; null while the demo is closed. */
  merchantId(): Promise<string | null>;
  /**
   * Starts a test payment of the demo merchant and returns the URL of its page; null while the demo
   * is closed.
   */
  pay(): Promise<string | null>;
  /** Its logins and test keys, as created; null when their file is gone. */
  secrets(): Promise<DemoSecrets | null>;
  /** Whether a visitor has the address that the terminal shows, and so may see the secrets. */
  mayShowSecrets(key: unknown): boolean;
  readonly publicUrl: string;
  /** Where the demo receives its own webhooks; null when it does not. */
  readonly receiverUrl: string | null;
  /** Text for the terminal. */
  invitation(): string;
}

export interface DemoSecrets {
  readonly sk_test: string;
  readonly pk_test: string;
  readonly console: Readonly<Record<'owner' | 'operator', { readonly email: string; readonly password: string }>>;
}

const DEMO_PLAN = 'professional';
/** One login for the merchant pages and one for the operator pages. */
const DEMO_OWNER = 'owner@example.com';
const DEMO_OPERATOR = 'operator@example.com';
const RECEIVER_DESCRIPTION = 'Receiver of the demo';
const KEYS_FILE = 'demo-keys.json';
const SHOW_KEY_BYTES = 24;

export function createDemo(deps: {
  db: Kysely<Database>;
  clock: Clock;
  dataDir: string;
  create: CreateDeps;
  endpoints: EndpointDeps['endpoints'];
  publicUrl: string;
  receiverUrl: string | null;
}): Demo {
  const { db, clock, dataDir, create, publicUrl, receiverUrl } = deps;
  const keysFile = join(dataDir, KEYS_FILE);
  // A user of the terminal may see the secrets; strangers reach the front page as well.
  const showKey = randomBytes(SHOW_KEY_BYTES).toString('base64url');
  let isPrepared = false;

  async function makeMerchant(): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const merchant = await upsertMerchant(trx, { ...DEMO_MERCHANT, plan: DEMO_PLAN, settings: {} });
      const { sk_test, pk_test } = await issueKeys(trx, merchant.id, clock.now());
      await mkdir(dataDir, { recursive: true });
      const change = { trx, who: 'demo', now: clock.now() };
      const owner = await login(change, { email: DEMO_OWNER, role: 'owner', merchantId: merchant.id });
      const operator = await login(change, { email: DEMO_OPERATOR, role: 'operator', merchantId: null });
      const secrets: DemoSecrets = { sk_test, pk_test, console: { owner, operator } };
      await replaceSecretFile(keysFile, `${JSON.stringify(secrets, null, 2)}\n`);
    });
  }

  /**
   * Creates the endpoint, unless a user has deleted one, or changes its URL when the service
   * listens on another port than at its last start. The demo also works without one.
   */
  async function keepEndpoint(merchant: string, url: string): Promise<void> {
    const existing = (await listEndpoints(db, merchant)).filter((endpoint) => isReceiverUrl(endpoint.url));
    if (existing.some((endpoint) => endpoint.url === url)) return;
    const [moved] = existing;
    if (moved === undefined && (await wasDeleted(merchant))) return;
    await db.transaction().execute(async (trx) => {
      const change = { trx, who: 'demo', now: clock.now() };
      if (moved === undefined) {
        const spec = { merchantId: merchant, url, events: null, modes: ['test'], description: RECEIVER_DESCRIPTION };
        await createEndpoint(change, deps.endpoints, spec);
      } else {
        const endpoint = { merchantId: merchant, endpointId: moved.id };
        await changeEndpoint(change, deps.endpoints, { ...endpoint, changes: { url } });
      }
    });
  }

  /** Rows of deleted endpoints stay. */
  async function wasDeleted(merchant: string): Promise<boolean> {
    const deleted = db.selectFrom('webhook_endpoint').select('url').where('deleted_at', 'is not', null);
    const rows = await deleted.where('merchant_id', '=', merchant).execute();
    return rows.some((endpoint) => isReceiverUrl(endpoint.url));
  }

  async function merchantId(): Promise<string | null> {
    // Without a prepared demo, requests to the front page run no query.
    return isPrepared ? findOnlyDemoMerchant(db) : null;
  }

  return {
    async prepare() {
      const { rows } = await sql`select 1 from merchant limit 1`.execute(db);
      if (rows.length === 0) await makeMerchant();
      isPrepared = true;
      const merchant = await merchantId();
      if (merchant !== null && receiverUrl !== null) await keepEndpoint(merchant, receiverUrl).catch(ignoreRejection);
      return merchant !== null;
    },

    merchantId,
    publicUrl,
    receiverUrl,
    mayShowSecrets: (key) => typeof key === 'string' && isSameText(key, showKey),

    async secrets() {
      const text = await readFile(keysFile, 'utf8').catch(() => null);
      // Only this file writes it.
      return text === null ? null : (JSON.parse(text) as DemoSecrets);
    },

    async pay() {
      const merchant = await merchantId();
      if (merchant === null) return null;
      const request = { crypto: 'LTC', amount: 25, currencyFiat: 'USD', metadata: null } as const;
      const nowhere = { customerEmail: null, successUrl: null, cancelUrl: null };
      const { transaction } = await createTransaction(create, demoCaller(merchant), { ...request, ...nowhere }, null);
      return transaction.payment_url;
    },

    invitation: () =>
      [
        '',
        `  Open ${publicUrl}/?show=${showKey} to make a test payment in the browser.`,
        `  API keys of the demo merchant: ${keysFile}`,
        `  API: ${publicUrl}/v1`,
        `  Dashboard: ${publicUrl}/console/test/overview (sign in as ${DEMO_OWNER}; as ${DEMO_OPERATOR} to see the service at work;`,
        '    both passwords are in the same file)',
        '',
      ].join('\n'),
  };
}

// Helpers

/** For a port that webhooks never go to, or when the plan's endpoint limit is reached. */
function ignoreRejection(error: unknown): void {
  if (!(error instanceof TerminalError)) throw error;
}

/** Constant-time comparison. */
function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

async function login(change: AuditedChange, user: Parameters<typeof createUserWithPassword>[1]) {
  const { password } = await createUserWithPassword(change, user);
  return { email: user.email, password };
}

/** The demo page acts for the demo merchant without an API key. */
function demoCaller(merchantId: string): Caller {
  return { merchantId, keyId: 'demo-page', kind: 'secret', mode: 'test', plan: DEMO_PLAN, settings: DEFAULT_SETTINGS };
}

async function findOnlyDemoMerchant(db: Kysely<Database>): Promise<string | null> {
  const [merchant, another] = await db.selectFrom('merchant').select(['id', 'name', 'email']).limit(2).execute();
  if (merchant === undefined || another !== undefined) return null;
  const { id, name, email } = merchant;
  return name === DEMO_MERCHANT.name && email === DEMO_MERCHANT.email ? id : null;
}
