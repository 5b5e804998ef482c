import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { newId } from '../ids.ts';
import { newWebhookSecret, type SecretBox } from '../secrets/index.ts';
import { readEndpointUrl, type WebhookUrlPolicy } from './endpoint-url.ts';
import { readSubscription, type WebhookEventType } from './event-types.ts';

/** Where one merchant wants to be told, and of what. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly enabled: boolean;
}

export interface NewEndpoint {
  readonly merchantId: string;
  readonly url: string;
  /** Event types; null for everything but `payment.created`. */
  readonly events: readonly string[] | null;
}

/**
 * Adds an endpoint and returns its signing secret, which cannot be read again: it is stored sealed. Throws
 * `TerminalError`: `INVALID_WEBHOOK_URL`, `INVALID_WEBHOOK_EVENTS`, or `WEBHOOK_ENDPOINT_EXISTS` when the merchant has
 * one with this URL.
 */
export async function registerEndpoint(
  trx: Transaction<Database>,
  { merchantId, url, events, secretBox, urls }: NewEndpoint & { secretBox: SecretBox; urls: WebhookUrlPolicy },
): Promise<{ id: string; secret: string }> {
  const { href } = readEndpointUrl(url, urls);
  const id = newId('whk');
  const secret = newWebhookSecret();
  const row = {
    id,
    merchant_id: merchantId,
    url: href,
    events: JSON.stringify(readSubscription(events)),
    sealed_secret: secretBox.seal(secret, endpointSecretContext(id)),
    enabled: true,
  };
  const inserted = await trx
    .insertInto('webhook_endpoint')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'url']).where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted !== undefined) return { id, secret };
  throw new TerminalError(
    'WEBHOOK_ENDPOINT_EXISTS',
    'The merchant has an endpoint with this URL; change its events instead of adding another',
  );
}

/** The merchant's endpoint with this URL, however the URL is spelled; null without one. */
export async function findEndpoint(
  db: Kysely<Database>,
  { merchantId, url }: { merchantId: string; url: string },
): Promise<WebhookEndpoint | null> {
  const row = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'merchant_id', 'url', 'events', 'enabled'])
    .where('merchant_id', '=', merchantId)
    .where('url', '=', URL.canParse(url) ? new URL(url).href : url)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, merchant_id, events, enabled } = row;
  return { id, merchantId: merchant_id, url: row.url, events: readSubscription(events), enabled };
}

/**
 * Changes what an endpoint is told from now on; null goes back to the default. Throws `TerminalError`:
 * `INVALID_WEBHOOK_EVENTS`, or `WEBHOOK_ENDPOINT_NOT_FOUND` when there is none with this id.
 */
export async function updateEndpointEvents(
  db: Kysely<Database>,
  { endpointId, events }: { endpointId: string; events: readonly string[] | null },
): Promise<void> {
  const updated = await db
    .updateTable('webhook_endpoint')
    .set({ events: JSON.stringify(readSubscription(events)) })
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) {
    throw new TerminalError(
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      `There is no webhook endpoint ${endpointId}; look its id up among the merchant's endpoints`,
    );
  }
}

/** What a sealed secret is bound to, so that a row copied over another one cannot be opened. */
export function endpointSecretContext(endpointId: string): string {
  return `webhook:${endpointId}`;
}
