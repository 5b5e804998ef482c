import { createHmac, hkdfSync } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { brandOf } from '../merchants/index.ts';
import { type Database, insertUnnested } from '../platform/db/index.ts';
import { currentStateOf } from '../platform/engine/index.ts';
import { hashToken } from '../platform/hash-token.ts';
import type { ScheduleForCustomer } from './customer.ts';
import type { ScheduleRow } from './schedule-rows.ts';

/** Creates the links in emails, and the hashes by which they are recognised. */
export interface CustomerLinks {
  readonly publicUrl: string;
  urlOf(purpose: TokenPurpose): string;
  /** Hash of the token; the token itself is not stored. */
  hashOf(purpose: TokenPurpose): string;
}

/** `publicUrl` is the base URL of the service for customers, without a trailing slash. */
export function createCustomerLinks({
  publicUrl,
  tokens,
}: {
  readonly publicUrl: string;
  readonly tokens: Tokens;
}): CustomerLinks {
  return {
    publicUrl,
    urlOf: (purpose) => `${publicUrl}/recurring/${purpose.purpose}/${tokens(purpose)}`,
    hashOf: (purpose) => hashToken(tokens(purpose)),
  };
}

/**
 * Enables links, before or in the commit that sends them. Links that already work stay valid;
 * after a change of the service's key, the link of the new key is added.
 */
export async function enableLinks(
  db: Kysely<Database>,
  { hashOf }: Pick<CustomerLinks, 'hashOf'>,
  purposes: readonly TokenPurpose[],
): Promise<void> {
  if (purposes.length === 0) return;
  const columns = { text: ['hash', 'purpose', 'schedule_id'], int4: ['period_no'] } as const;
  const rows = purposes.map((each) => ({
    hash: hashOf(each),
    purpose: each.purpose,
    schedule_id: each.scheduleId,
    period_no: each.purpose === 'pay' ? each.periodNo : null,
  }));
  await sql`${insertUnnested('schedule_token', columns, rows)} on conflict do nothing`.execute(db);
}

/** What a link in an email may do: only this, and only for this schedule. */
export type TokenPurpose =
  | { readonly purpose: 'confirm' | 'stop'; readonly scheduleId: string }
  /** The permanent link of one period. */
  | { readonly purpose: 'pay'; readonly scheduleId: string; readonly periodNo: number };

/** Returns the token of a purpose: 128 bits as 32 hex characters. */
export type Tokens = (purpose: TokenPurpose) => string;

/**
 * Tokens are derived, not random: HMAC-SHA256 (RFC 2104) of their purpose under a separate key
 * (HKDF, RFC 5869). So the database stores none of them, and every reminder has the same link as
 * the first email. Only their hashes are stored: when the service's key changes, existing links
 * keep working, and links of the new key are added.
 */
export function createTokens(secretKey: Uint8Array): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'quittance links in mails', KEY_BYTES));
  return (input) =>
    createHmac('sha256', key)
      .update(JSON.stringify([input.purpose, input.scheduleId, input.purpose === 'pay' ? input.periodNo : null]))
      .digest('hex')
      .slice(0, TOKEN_CHARACTERS);
}

/** Whether the text has the format of a token. */
function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The schedule, and the period if any, that a token gives access to. */
export interface TokenHolder {
  readonly row: ScheduleRow & {
    readonly merchant_name: string;
    readonly merchant_settings: Readonly<Record<string, unknown>>;
    /** How far the schedule's clock is ahead of the wall clock, in ms. */
    readonly clock_offset_ms: number;
  };
  /** Null unless the token is for one period. */
  readonly periodNo: number | null;
}

/** What a token of this purpose gives access to; null if it is unknown or has another purpose. */
export async function findByToken(
  db: Kysely<Database>,
  purpose: TokenPurpose['purpose'],
  token: string,
): Promise<TokenHolder | null> {
  if (!isToken(token)) return null;
  const { rows } = await sql<TokenHolder['row'] & { readonly period_no: number | null }>`
      select schedule.*, merchant.name as merchant_name, merchant.settings as merchant_settings, clock_offset_ms, schedule_token.period_no
      from schedule_token join schedule on schedule.id = schedule_id join merchant on merchant.id = schedule.merchant_id
        cross join lateral ${currentStateOf(sql`schedule.id`)} as actor
      where hash = ${hashToken(token)} and purpose = ${purpose}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { row, periodNo: row.period_no };
}

export function toScheduleForCustomer(row: TokenHolder['row']): ScheduleForCustomer {
  return {
    merchantName: row.merchant_name,
    brand: brandOf(row.merchant_settings),
    description: row.description,
    amountFiat: row.amount_fiat,
    // `createSchedule` wrote a supported currency.
    currencyFiat: row.currency_fiat,
    interval: row.interval,
    status: row.status,
    isFinished: row.end_reason === 'finished',
    isTest: row.mode === 'test',
    startAt: row.start_at,
    maxPeriods: row.max_periods,
    nextDueAt: row.next_due_at,
    due: null,
  };
}

// Helpers

const KEY_BYTES = 32;
const TOKEN_CHARACTERS = 32;
const TOKEN = /^[0-9a-f]{32}$/;
