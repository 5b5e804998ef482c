import { type AuditedAction, type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { readEndpointUrl } from '../endpoint-url.ts';
import { readSubscription } from '../event-types.ts';
import { readModes } from '../modes.ts';
import type { NewEndpoint } from './create-endpoint.ts';
import {
  auditedUrl,
  type EndpointOfMerchant,
  type EndpointRow,
  type EndpointTerms,
  lockEndpoint,
  toEndpoint,
  type WebhookEndpoint,
} from './endpoint.ts';
import { readDescription, readMaxPerSecond } from './endpoint-fields.ts';
import { lockAndCountEndpoints, requireFreeUrl } from './endpoint-usage.ts';

/** Omitted fields stay unchanged. Null restores the default events, or removes the rate limit. */
export type EndpointChanges = Partial<Omit<NewEndpoint, 'merchantId'>>;

export interface ChangedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** The endpoint before the change; null when nothing changed. */
  readonly before: WebhookEndpoint | null;
}

/**
 * Changes an endpoint. Attempts already sent are not affected. Enabling an endpoint does not send
 * the events it missed while disabled; a replay does. Throws a `TerminalError`:
 * `WEBHOOK_ENDPOINT_NOT_FOUND`, or what `createEndpoint` throws about the fields.
 */
export async function changeEndpoint(
  change: AuditedChange,
  terms: EndpointTerms,
  { changes, ...input }: EndpointOfMerchant & { readonly changes: EndpointChanges },
): Promise<ChangedEndpoint> {
  const { trx, now } = change;
  const url = changes.url === undefined ? null : readEndpointUrl(changes.url, terms.urls).href;
  if (url !== null) {
    const { merchantId } = input;
    requireFreeUrl(await lockAndCountEndpoints(trx, { ...terms, merchantId }), url, input.endpointId);
  }
  const before = await lockEndpoint(trx, input);
  const after = { ...before, ...appliedFields(before, changes, url), ...switched(before, changes.enabled, now) };
  const changed = differences(before, after);
  if (Object.keys(changed).length === 0) return { endpoint: toEndpoint(before), before: null };
  const {
    url: nextUrl,
    events,
    modes,
    description,
    disables_itself,
    disables_on_gone,
    max_per_second,
    enabled,
  } = after;
  const row = await trx
    .updateTable('webhook_endpoint')
    .set({
      url: nextUrl,
      events: JSON.stringify(events),
      modes: JSON.stringify(modes),
      description,
      disables_itself,
      disables_on_gone,
      gone_at: after.gone_at === null ? null : new Date(after.gone_at),
      max_per_second,
      enabled,
      disabled_at: after.disabled_at === null ? null : new Date(after.disabled_at),
      disabled_because: after.disabled_because,
      failing_since: after.failing_since === null ? null : new Date(after.failing_since),
      notices_sent: after.notices_sent,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await auditChange(change, row, changed);
  return { endpoint: toEndpoint(row), before: toEndpoint(before) };
}

// Helpers

type ChangeableFields = Pick<EndpointRow, Exclude<(typeof FIELDS)[number], 'enabled'>>;
type Health = Pick<EndpointRow, 'failing_since' | 'notices_sent' | 'gone_at'>;

/** The fields that merchants change, as the audit log names them. */
const FIELDS = [
  'url',
  'events',
  'modes',
  'description',
  'disables_itself',
  'disables_on_gone',
  'max_per_second',
  'enabled',
] as const;

const HEALTHY: Health = { failing_since: null, notices_sent: 0, gone_at: null };

/** A new URL is a new receiver, so it starts without failures. */
function appliedFields(
  before: EndpointRow,
  changes: EndpointChanges,
  url: string | null,
): ChangeableFields & Partial<Health> {
  return {
    url: url ?? before.url,
    events: changes.events === undefined ? before.events : readSubscription(changes.events),
    modes: changes.modes === undefined ? before.modes : readModes(changes.modes),
    description: changes.description === undefined ? before.description : readDescription(changes.description),
    disables_itself: changes.disablesItself ?? before.disables_itself,
    disables_on_gone: changes.disablesOnGone ?? before.disables_on_gone,
    max_per_second: changes.maxPerSecond === undefined ? before.max_per_second : readMaxPerSecond(changes.maxPerSecond),
    // A response from before the option was switched on does not count.
    ...((changes.disablesOnGone ?? before.disables_on_gone) === before.disables_on_gone ? {} : { gone_at: null }),
    ...(url === null || url === before.url ? {} : HEALTHY),
  };
}

function switched(before: EndpointRow, enabled: boolean | undefined, now: number): Partial<EndpointRow> {
  if (enabled === undefined || enabled === before.enabled) return {};
  if (!enabled) return { enabled, disabled_at: now, disabled_because: 'merchant' };
  return { enabled, disabled_at: null, disabled_because: null, ...HEALTHY };
}

function differences(before: EndpointRow, after: EndpointRow): Readonly<Record<string, unknown>> {
  const names = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(names.map((field) => [field, field === 'url' ? auditedUrl(after.url) : after[field]]));
}

/** Enabling and disabling get their own audit entries, so that they are easy to find. */
async function auditChange(
  change: AuditedChange,
  { id: subjectId, merchant_id: merchantId }: EndpointRow,
  { enabled, ...details }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const write = (what: AuditedAction, more: Readonly<Record<string, unknown>>) =>
    writeAudit(change, { merchantId, what, subjectId, details: more });
  if (Object.keys(details).length > 0) await write('webhook_endpoint.changed', details);
  if (enabled !== undefined)
    await write(enabled === true ? 'webhook_endpoint.enabled' : 'webhook_endpoint.disabled', {});
}
