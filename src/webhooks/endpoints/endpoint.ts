import type { Selectable, Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { WebhookUrlPolicy } from '../endpoint-url.ts';
import { readSubscription, type WebhookEventType } from '../event-types.ts';

/** A webhook endpoint of a merchant, without its secret, which cannot be retrieved again. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** Whether it receives events of live payments, of test payments, or of both. */
  readonly modes: readonly Mode[];
  /** Set by the merchant; may be empty. */
  readonly description: string;
  /** Whether it receives events. */
  readonly enabled: boolean;
  readonly disabledAt: UnixMs | null;
  /** `failing` and `gone` when the service disabled it. */
  readonly disabledBecause: 'merchant' | 'failing' | 'gone' | null;
  /** Whether the service may disable it automatically after days without a success. */
  readonly disablesItself: boolean;
  /** Whether the service disables it when it responds with 410 Gone. */
  readonly disablesOnGone: boolean;
  /** Attempts per second it accepts; null for no limit. */
  readonly maxPerSecond: number | null;
  /** When the first attempt since the last success failed; null while the endpoint is healthy. */
  readonly failingSince: UnixMs | null;
  readonly secretChangedAt: UnixMs;
  /**
   * Until when the previous secret also signs; null without a rotation overlap. Cleared within
   * hours of its end.
   */
  readonly previousSecretUntil: UnixMs | null;
  readonly createdAt: UnixMs;
}

export interface EndpointOfMerchant {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** Installation settings that endpoint changes depend on. */
export interface EndpointTerms {
  /** Which URLs are allowed. */
  readonly urls: WebhookUrlPolicy;
  /** False: no plan limits apply. */
  readonly plansEnabled: boolean;
}

/** What changes of endpoints need in addition to their transaction. */
export interface EndpointDeps {
  readonly endpoints: EndpointTerms & { readonly secretBox: SecretBox };
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
    disablesOnGone: row.disables_on_gone,
    maxPerSecond: row.max_per_second,
    failingSince: row.failing_since,
    secretChangedAt: row.secret_changed_at,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
  };
}

/**
 * The row of an endpoint that is not deleted, locked until the transaction ends. Throws like
 * `getEndpoint`.
 */
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

/** The same error for an endpoint that never existed, was deleted, or is another merchant's. */
export function notFound(endpointId: string): never {
  throw new TerminalError(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    `There is no webhook endpoint ${endpointId.slice(0, MAX_SHOWN_CHARACTERS)}; list the endpoints to see their ids.`,
  );
}

/** Context a sealed secret is bound to, so that it cannot be opened when copied to another row. */
export function endpointSecretContext(endpointId: string): string {
  return `webhook:${endpointId}`;
}

/** A URL as the audit log stores it, without the query, which often contains a token. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

// Helpers

/** Ids from requests can be any text. */
const MAX_SHOWN_CHARACTERS = 60;
