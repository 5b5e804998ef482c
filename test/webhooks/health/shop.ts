import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { DeliveryContext, UnixMs } from '../../../machines/index.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { Step } from '../../../src/platform/engine/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { NoticeKind } from '../../../src/webhooks/health/execute.ts';
import { checkEndpoints } from '../../../src/webhooks/health/health-worker.ts';
import { projectHealth } from '../../../src/webhooks/health/project-health.ts';
import { changeEndpoint, type EndpointChanges } from '../../../src/webhooks/index.ts';
import type { TestClock } from '../../support/clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { addEndpoint, createMerchant, LOOPBACK } from '../harness.ts';

/**
 * How an attempt ended. `gone` is a response 410, `probe` is one that failed before its time,
 * `not_sent` never reached the receiver.
 */
export type Result = 'success' | 'failure' | 'probe' | 'gone' | 'not_sent';

/** A notice about the endpoint, read from its mail: `since` and `disablesAt` in whole minutes. */
export interface Notice {
  /** The same in the emails to all users. */
  readonly id: string;
  readonly kind: NoticeKind;
  readonly createdAt: UnixMs;
  /** When the failures began. */
  readonly since: UnixMs;
  /** When the endpoint will be disabled; null if the text names no time. */
  readonly disablesAt: UnixMs | null;
  readonly text: string;
}

/**
 * A merchant with two logins and one endpoint, whose attempts are stored as the sender and the
 * engine store them.
 */
export interface Shop {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly users: readonly string[];
  /**
   * Ends attempts now, in one commit. `isUnseen`: a concurrent commit has not seen it. `ageMs`: of
   * their deliveries; 0 if omitted. `isLast`: a failure ends its delivery.
   */
  attempt(results: readonly Result[], options?: AttemptOptions): Promise<void>;
  /** Runs the check that every worker makes each minute, in `workers` workers at once. */
  check(workers?: number): Promise<void>;
  change(changes: Pick<EndpointChanges, 'enabled' | 'disablesItself' | 'disablesOnGone' | 'url'>): Promise<void>;
  /** Those in the emails to the first user, in the order they were sent. */
  notices(): Promise<Notice[]>;
  /** In the order they were sent. */
  mails(): Promise<EndpointMail[]>;
  endpoint(): Promise<EndpointRow>;
}

interface AttemptOptions {
  readonly isUnseen?: boolean;
  readonly ageMs?: number;
  readonly isLast?: boolean;
}

interface EndpointMail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly dedupe_key: string;
  readonly created_at: UnixMs;
}

type EndpointRow = Awaited<ReturnType<typeof readEndpoint>>;

export const SECRET_PATH = 'hidden-path';

export async function openShop(connection: Pick<Connection, 'db'>, clock: TestClock): Promise<Shop> {
  const { db } = connection;
  const merchantId = await createMerchant(connection);
  const url = `http://127.0.0.1:8443/${SECRET_PATH}?token=hidden-query`;
  const { id: endpointId } = await addEndpoint(connection, { merchantId, url });
  const users = ['one', 'two'].map((name) => `${name}-${randomBytes(6).toString('hex')}@shop.example`);
  for (const email of users) {
    const user = { id: newId('usr'), merchant_id: merchantId, email, password_hash: 'none' };
    await db.insertInto('merchant_user').values(user).execute();
  }
  const eventId = newId('evt');
  const event = { id: eventId, merchant_id: merchantId, transaction_id: null, event: 'payment.completed' };
  await db
    .insertInto('webhook_event')
    .values({ ...event, mode: 'live', body: '{}', created_at: new Date(clock.now()) })
    .execute();

  async function logAttempts(results: readonly Result[], { ageMs = 0, isLast = false }: AttemptOptions): Promise<void> {
    const at = new Date(clock.now());
    const ids = results.map(() => newId('dlv'));
    const deliveries = results.map((result, index) => ({
      id: ids[index] ?? '',
      webhook_event_id: eventId,
      endpoint_id: endpointId,
      event: 'payment.completed',
      attempt: 1,
      state: result === 'success' ? 'delivered' : isLast ? 'failed' : 'waiting',
      created_at: new Date(clock.now() - ageMs),
      ended_at: result === 'success' || isLast ? at : null,
    }));
    await db.insertInto('webhook_delivery').values(deliveries).execute();
    const attempts = results.map((result, index) => ({
      delivery_id: ids[index] ?? '',
      attempt: 1,
      started_at: at,
      duration_ms: 0,
      ...RESPONSES[result],
    }));
    await db.insertInto('webhook_attempt').values(attempts).execute();
  }

  const mails = (): Promise<EndpointMail[]> =>
    db
      .selectFrom('mail')
      .select(['recipient', 'subject', 'text', 'html', 'dedupe_key', 'created_at'])
      .where('merchant_id', '=', merchantId)
      // By transaction: the test clock may stand still or go back between two emails.
      .orderBy(sql`xmin::text::int8`)
      .orderBy('recipient')
      .execute();

  return {
    merchantId,
    endpointId,
    users,
    async attempt(results, options = {}) {
      await logAttempts(results, options);
      if (options.isUnseen === true) return;
      const steps = results.map((result) => stepOf(result, endpointId, clock.now()));
      await db.transaction().execute((trx) => projectHealth(trx, steps));
    },
    async check(workers = 1) {
      await Promise.all(Array.from({ length: workers }, () => checkEndpoints({ db, clock, log: silentLog })));
    },
    async change(changes) {
      const terms = { urls: LOOPBACK, plansEnabled: false };
      await db.transaction().execute((trx) => {
        return changeEndpoint({ trx, who: 'a test', now: clock.now() }, terms, { merchantId, endpointId, changes });
      });
    },
    async notices() {
      return (await mails()).filter(({ recipient }) => recipient === users[0]).map(noticeOf);
    },
    mails,
    endpoint: () => readEndpoint(connection, endpointId),
  };
}

// Helpers

const KINDS: readonly (readonly [end: string, kind: NoticeKind])[] = [
  [' are failing', 'webhook_failing'],
  [' were disabled', 'webhook_disabled'],
  [' work again', 'webhook_recovered'],
];

function noticeOf({ subject, text, dedupe_key: key, created_at: createdAt }: EndpointMail): Notice {
  const kind = KINDS.find(([end]) => subject.endsWith(end))?.[1];
  const since = timeIn(text, /(?:Failing since:|It had been failing since) (.+? UTC)/);
  const [id] = key.split(':');
  if (kind === undefined || since === null || id === undefined) throw new Error(`no notice about an endpoint: ${text}`);
  return {
    id,
    kind,
    createdAt,
    since,
    disablesAt: timeIn(text, /before (.+? UTC), it will be disabled automatically/),
    text,
  };
}

/** The captured time, like `21 November 2026 at 10:12 UTC`; null without a match. */
function timeIn(text: string, pattern: RegExp): UnixMs | null {
  const [, time] = pattern.exec(text) ?? [];
  if (time === undefined) return null;
  const at = Date.parse(time.replace(' at ', ' '));
  if (Number.isNaN(at)) throw new Error(`no time: ${time}`);
  return at;
}

const FAILED = { status: 500, failure: 'status', failure_detail: 'The endpoint responded with 500' };

const RESPONSES = {
  success: { status: 200, failure: null, failure_detail: null },
  failure: FAILED,
  probe: FAILED,
  gone: { status: 410, failure: 'status', failure_detail: 'The endpoint responded with 410' },
  not_sent: { status: null, failure: 'endpoint_gone', failure_detail: 'The endpoint was disabled' },
} as const satisfies Readonly<Record<Result, object>>;

function readEndpoint({ db }: Pick<Connection, 'db'>, endpointId: string) {
  return db.selectFrom('webhook_endpoint').selectAll().where('id', '=', endpointId).executeTakeFirstOrThrow();
}

function stepOf(
  result: Result,
  endpointId: string,
  at: UnixMs,
): Pick<Step<DeliveryContext>, 'at' | 'event' | 'context'> {
  const type = { success: 'sender.attempt_succeeded', probe: 'sender.probe_failed' }[result as string];
  const kind = result === 'not_sent' ? 'endpoint_gone' : 'status';
  const event = {
    type: type ?? 'sender.attempt_failed',
    attempt: 1,
    failure: { kind, status: result === 'gone' ? 410 : 500, detail: '' },
  };
  // The projection reads no other field of a delivery.
  return { at, event, context: { endpointId } as DeliveryContext };
}
