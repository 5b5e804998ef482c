import { MODES } from '../../../machines/index.ts';
import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { newId } from '../../platform/ids.ts';
import { newWebhookSecret, type SecretBox } from '../../platform/secrets/index.ts';
import { readEndpointUrl } from '../endpoint-url.ts';
import { readSubscription } from '../event-types.ts';
import { readModes } from '../modes.ts';
import { auditedUrl, type EndpointTerms, endpointSecretContext, toEndpoint, type WebhookEndpoint } from './endpoint.ts';
import { readDescription, readMaxPerSecond } from './endpoint-fields.ts';
import { lockAndCountEndpoints, requireEndpointsLeft, requireFreeUrl } from './endpoint-usage.ts';

export interface NewEndpoint {
  readonly merchantId: string;
  readonly url: string;
  /** Event types; null for all except `payment.created`. */
  readonly events: readonly string[] | null;
  /** Both if omitted. */
  readonly modes?: readonly string[];
  readonly description?: string;
  /** True if omitted. */
  readonly enabled?: boolean;
  /** False if omitted. */
  readonly disablesItself?: boolean;
  /** False if omitted. */
  readonly disablesOnGone?: boolean;
  /** Attempts per second; no limit if null or omitted. */
  readonly maxPerSecond?: number | null;
}

/** An endpoint with its signing secret, `whsec_…`, which is shown only this once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Creates an endpoint. Its secret is stored encrypted and cannot be retrieved again. Concurrent
 * calls never exceed the plan's limit; endpoints that exist when a plan shrinks stay. Throws a
 * `TerminalError`: `INVALID_WEBHOOK_URL`, `INVALID_WEBHOOK_EVENTS`, `INVALID_REQUEST` about modes,
 * description or rate limit, `WEBHOOK_ENDPOINT_EXISTS` when the merchant has one with this URL,
 * `PLAN_UPGRADE_REQUIRED`, `INVALID_STATE`.
 */
export async function createEndpoint(
  change: AuditedChange,
  { secretBox, urls, plansEnabled }: EndpointTerms & { readonly secretBox: SecretBox },
  spec: NewEndpoint,
): Promise<EndpointWithSecret> {
  const { trx, now } = change;
  const { merchantId, enabled = true, disablesItself = false, disablesOnGone = false } = spec;
  const { href: url } = readEndpointUrl(spec.url, urls);
  const events = readSubscription(spec.events);
  const modes = readModes(spec.modes ?? MODES);
  const description = readDescription(spec.description ?? '');
  const maxPerSecond = readMaxPerSecond(spec.maxPerSecond ?? null);
  const living = await lockAndCountEndpoints(trx, { merchantId, plansEnabled });
  requireFreeUrl(living, url);
  requireEndpointsLeft(living);
  const id = newId('whk');
  const secret = newWebhookSecret();
  const row = await trx
    .insertInto('webhook_endpoint')
    .values({
      id,
      merchant_id: merchantId,
      url,
      events: JSON.stringify(events),
      modes: JSON.stringify(modes),
      sealed_secret: secretBox.seal(secret, endpointSecretContext(id)),
      enabled,
      description,
      disables_itself: disablesItself,
      disables_on_gone: disablesOnGone,
      max_per_second: maxPerSecond,
      disabled_at: enabled ? null : new Date(now),
      disabled_because: enabled ? null : 'merchant',
      secret_changed_at: new Date(now),
      created_at: new Date(now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeAudit(change, {
    merchantId,
    what: 'webhook_endpoint.created',
    subjectId: id,
    details: {
      url: auditedUrl(url),
      events,
      modes,
      description,
      enabled,
      disables_itself: disablesItself,
      disables_on_gone: disablesOnGone,
      max_per_second: maxPerSecond,
    },
  });
  return { endpoint: toEndpoint(row), secret };
}
