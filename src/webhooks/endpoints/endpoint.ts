import type { Selectable, Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { WebhookUrlPolicy } from '../endpoint-url.ts';
import { readSubscription, type WebhookEventType } from '../event-types.ts';
import type { WebhookMode } from '../modes.ts';

/** Where one merchant wants to be told, and of what. Its secret is not part of it: nobody can read it again. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** Whose events it receives: those of live payments, of test payments, or both. */
  readonly modes: readonly WebhookMode[];
  /** What the merchant calls it; may be empty. */
  readonly description: string;
  /** Whether it gets anything. */
  readonly enabled: boolean;
  readonly disabledAt: UnixMs | null;
  /** `failing` when it was the service that gave it up. */
  readonly disabledBecause: 'merchant' | 'failing' | null;
  /** Whether the service may disable it after days without a success. */
  readonly disablesItself: boolean;
  /** When the first attempt failed since the last success; null while it is well. */
  readonly failingSince: UnixMs | null;
  readonly secretChangedAt: UnixMs;
  /** Until when the secret before signs too; null unless it was rotated with overlap, and within hours of the end. */
  readonly previousSecretUntil: UnixMs | null;
  readonly createdAt: UnixMs;
}

/** Which endpoint of which merchant. */
export interface EndpointOfMerchant {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** What deciding about endpoints needs to know of the installation. */
export interface EndpointTerms {
  /** Which URLs the operator lets webhooks go to. */
  readonly urls: WebhookUrlPolicy;
  /** False: no plan limits anybody. */
  readonly plansEnabled: boolean;
}

export type EndpointRow = Selectable<Database['webhook_endpoint']>;

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: row.url,
    events: readSubscription(row.events),
    modes: row.modes,
    description: row.description,
    enabled: row.enabled,
    disabledAt: row.disabled_at,
    disabledBecause: row.disabled_because,
    disablesItself: row.disables_itself,
    failingSince: row.failing_since,
    secretChangedAt: row.secret_changed_at,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
  };
}

/** The row of an endpoint that was not deleted, locked until the transaction ends. Throws like `getEndpoint`. */
export async function lockEndpoint(
  trx: Transaction<Database>,
  { merchantId, endpointId }: EndpointOfMerchant,
): Promise<EndpointRow> {
  const row = await trx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? notFound(endpointId);
}

/** The same answer for what never was, what was deleted, and what is another merchant's. */
export function notFound(endpointId: string): never {
  throw new TerminalError(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    `There is no webhook endpoint ${endpointId.slice(0, MAX_SHOWN_CHARACTERS)}; list the endpoints to see their ids.`,
  );
}

/** What a sealed secret is bound to, so that a row copied over another one cannot be opened. */
export function endpointSecretContext(endpointId: string): string {
  return `webhook:${endpointId}`;
}

/** A URL as the audit keeps it: queries often hold a token of the receiver's. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

// Helpers

/** Ids from outside can be any text. */
const MAX_SHOWN_CHARACTERS = 60;
