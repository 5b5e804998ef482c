import type { Schedule, SchedulePeriod } from '../../src/client/index.ts';
import type { MailConfig } from '../../src/platform/config/index.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { mailConfig, type ReceivedMail, startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { createMerchantApi, type MerchantApi } from '../support/service/merchant-api.ts';
import { createTestService, type RunningService, type ServiceSetup } from '../support/service/service.ts';

/** A merchant with a whole service, a mail server, and a server that receives webhooks. */
export interface RecurringShop {
  readonly service: RunningService;
  readonly smtp: TestSmtp;
  readonly receiver: Receiver;
  /** With the test key of the merchant. */
  readonly test: RecurringCalls;
  /** With the live key. */
  readonly live: RecurringCalls;
  /** Emails received at this address, oldest first. */
  mailsTo(address: string): ReceivedMail[];
  /** The recurring events about a schedule, in order of their sequence, each once. */
  eventsOf(scheduleId: string): RecurringEvent[];
  close(): Promise<void>;
}

export interface RecurringCalls extends MerchantApi {
  create(body?: Readonly<Record<string, unknown>>): Promise<Schedule>;
  get(scheduleId: string): Promise<Schedule>;
  periods(scheduleId: string): Promise<SchedulePeriod[]>;
  decide(scheduleId: string, decision: string): Promise<Schedule>;
  simulate(scheduleId: string, body: Readonly<Record<string, unknown>>): Promise<Schedule>;
}

export interface RecurringEvent {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly schedule_id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** The merchant's own login: emails of test schedules go to no other address. */
export const OWNER = 'owner@shop.example';
export const SHOP_NAME = 'Corner shop';

const MONTHLY = { amount: 25, currency_fiat: 'EUR', interval: 'monthly', description: 'Coffee every month' } as const;

export interface RecurringShopOptions extends Pick<ServiceSetup, 'env' | 'clock'> {
  readonly wallets?: readonly { readonly crypto: string; readonly extended_public_key: string }[];
}

/**
 * Starts everything. The service runs as the command runs it, with settings from the environment.
 */
export async function openRecurringShop({
  env,
  clock,
  wallets = [],
}: RecurringShopOptions = {}): Promise<RecurringShop> {
  const [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
  const service = await createTestService({
    isQuickOnPostgres: true,
    ...(clock === undefined ? {} : { clock }),
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: senderOf(mailConfig(smtp.port)),
      RATES_FIXED: JSON.stringify({ LTC: '80', EUR: '1.08' }),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      ...env,
    },
    provisioning: {
      merchants: [
        {
          name: SHOP_NAME,
          email: OWNER,
          plan: 'enterprise',
          wallets,
          webhooks: [{ url: receiver.url }],
        },
      ],
    },
  });
  const close = async () => {
    await service.remove();
    await Promise.all([smtp.close(), receiver.close()]);
  };
  try {
    await service.start();
  } catch (error) {
    await close();
    throw error;
  }
  const [secrets] = await service.secrets();
  const [webhook] = secrets?.webhooks ?? [];
  if (secrets?.keys === undefined || webhook === undefined) throw new Error('Provisioning gave no keys');
  receiver.trust(webhook.secret);
  const callsWith = (key: string) => recurringCalls(createMerchantApi(() => service.url, key));
  return {
    service,
    smtp,
    receiver,
    test: callsWith(secrets.keys.sk_test),
    live: callsWith(secrets.keys.sk_live),
    mailsTo: (address) => smtp.mails.filter(({ envelopeTo }) => envelopeTo.includes(address)),
    eventsOf(scheduleId) {
      const events = receiver.requests.map(({ body }) => JSON.parse(body) as RecurringEvent);
      const own = events.filter(
        ({ event, schedule_id }) => event.startsWith('recurring.') && schedule_id === scheduleId,
      );
      return [...new Map(own.map((each) => [each.id, each])).values()].sort((a, b) => a.sequence - b.sequence);
    },
    close,
  };
}

/** The link to one of our pages in an email's text. Throws when there is not exactly one. */
export function linkIn(mail: ReceivedMail | undefined, purpose: 'confirm' | 'stop' | 'pay'): string {
  const found = new Set(mail?.text?.match(new RegExp(`https?://\\S+/recurring/${purpose}/[0-9a-f]{32}`, 'g')) ?? []);
  const [link] = found;
  if (link === undefined || found.size > 1) throw new Error(`the mail has ${found.size} links to ${purpose}`);
  return link;
}

/** Posts a form as a browser does, and returns where it redirects. */
export async function post(
  url: string,
  form: Readonly<Record<string, string>> = {},
): Promise<{ status: number; location: string }> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  await response.arrayBuffer();
  const location = response.headers.get('location');
  return { status: response.status, location: location === null ? '' : new URL(location, url).href };
}

/** Opens a payment of the period behind a link, and returns its id. */
export async function openPayment(payUrl: string, crypto: string): Promise<string> {
  const { status, location } = await post(payUrl, { crypto });
  const id = /\/transaction\/(txn_\w+)$/.exec(location)?.[1];
  if (status !== 303 || id === undefined) throw new Error(`opening a payment answered ${status} ${location}`);
  return id;
}

// Helpers

function senderOf({ from }: MailConfig): string {
  return `${from.name} <${from.address}>`;
}

function recurringCalls(api: MerchantApi): RecurringCalls {
  return {
    ...api,
    create: (body) => api.expect(201, 'POST', '/recurring/create', { ...MONTHLY, customer_email: OWNER, ...body }),
    get: (id) => api.expect(200, 'GET', `/recurring/${id}`),
    periods: async (id) =>
      (await api.expect<{ periods: SchedulePeriod[] }>(200, 'GET', `/recurring/${id}/periods`)).periods,
    decide: (id, decision) => api.expect(200, 'POST', `/recurring/${id}/${decision}`),
    simulate: (id, body) => api.expect(200, 'POST', `/recurring/${id}/simulate`, body),
  };
}
