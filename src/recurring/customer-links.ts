import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';
import { hashToken, type TokenPurpose, type Tokens } from './tokens.ts';

/** Writes the addresses that stand in mails, and knows what each is recognised by. */
export interface CustomerLinks {
  urlOf(wanted: TokenPurpose): string;
  /** The only trace of its token that is stored. */
  hashOf(wanted: TokenPurpose): string;
}

/** `publicUrl` is where customers reach the service, without a slash at its end. */
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
 * Makes links work, before or in the commit that hands them out. Links that work already stay as they are; what is added is the
 * one of the present key, where the service's key was changed since the last mail.
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
