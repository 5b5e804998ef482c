import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';
import { hashToken, type TokenPurpose, type Tokens } from './tokens.ts';

/** Creates the links in emails, and the hashes by which they are recognised. */
export interface CustomerLinks {
  urlOf(wanted: TokenPurpose): string;
  /** Hash of the token; the token itself is not stored. */
  hashOf(wanted: TokenPurpose): string;
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
    urlOf: (wanted) => `${publicUrl}/recurring/${wanted.purpose}/${tokens(wanted)}`,
    hashOf: (wanted) => hashToken(tokens(wanted)),
  };
}

/**
 * Enables links, before or in the commit that hands them out. Links that already work stay valid;
 * after a change of the service's key, the link of the new key is added.
 */
export async function enableLinks(
  db: Kysely<Database>,
  { hashOf }: Pick<CustomerLinks, 'hashOf'>,
  wanted: readonly TokenPurpose[],
): Promise<void> {
  if (wanted.length === 0) return;
  await sql`
    insert into schedule_token (hash, purpose, schedule_id, period_no)
    select * from unnest(
      ${wanted.map(hashOf)}::text[], ${wanted.map(({ purpose }) => purpose)}::text[],
      ${wanted.map(({ scheduleId }) => scheduleId)}::text[],
      ${wanted.map((each) => (each.purpose === 'pay' ? each.periodNo : null))}::int4[]
    )
    on conflict do nothing`.execute(db);
}
