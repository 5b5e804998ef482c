import { HOUR_MS } from '../../../machines/index.ts';
import { type AuditedAction, type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newWebhookSecret, type SecretBox } from '../../platform/secrets/index.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { emailEndpointChange } from './email-endpoint-change.ts';
import { type EndpointOfMerchant, endpointSecretContext, lockEndpoint, toEndpoint } from './endpoint.ts';

export const MAX_SECRET_OVERLAP_HOURS = 24;

export interface SecretRotation extends EndpointOfMerchant {
  /** Whole hours, 1 to 24; 24 if omitted. */
  readonly overlapHours?: number | undefined;
}

/**
 * Replaces the secret of an endpoint; the previous one keeps signing for some hours. Until then
 * `webhook-signature` carries both signatures and `X-Service-Signature` the new one. There are
 * never more than two: another rotation ends an earlier overlap immediately. Throws a
 * `TerminalError`: `WEBHOOK_ENDPOINT_NOT_FOUND`, `INVALID_REQUEST` about the hours.
 */
export async function rotateSecret(
  change: AuditedChange,
  secretBox: SecretBox,
  { overlapHours = MAX_SECRET_OVERLAP_HOURS, ...input }: SecretRotation,
): Promise<EndpointWithSecret> {
  requireOverlap(overlapHours);
  return replaceSecret(change, secretBox, input, {
    overlapMs: overlapHours * HOUR_MS,
    what: 'webhook_endpoint.secret_rotated',
    details: { overlap_hours: overlapHours },
  });
}

/**
 * Replaces the secret of an endpoint. After the commit every process signs with the new one,
 * because senders read the secret for each attempt. The old one stops signing, and so does one in a
 * rotation overlap. Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export function regenerateSecret(
  change: AuditedChange,
  secretBox: SecretBox,
  input: EndpointOfMerchant,
): Promise<EndpointWithSecret> {
  return replaceSecret(change, secretBox, input, { overlapMs: null, what: 'webhook_endpoint.secret_regenerated' });
}

// Helpers

interface Replacement {
  /** How long the previous secret keeps signing; null when it stops immediately. */
  readonly overlapMs: number | null;
  readonly what: AuditedAction;
  readonly details?: Readonly<Record<string, unknown>>;
}

async function replaceSecret(
  change: AuditedChange,
  secretBox: SecretBox,
  input: EndpointOfMerchant,
  { overlapMs, ...audit }: Replacement,
): Promise<EndpointWithSecret> {
  const { trx, now } = change;
  const { id, sealed_secret: previous } = await lockEndpoint(trx, input);
  const secret = newWebhookSecret();
  const row = await trx
    .updateTable('webhook_endpoint')
    .set({
      sealed_secret: secretBox.seal(secret, endpointSecretContext(id)),
      secret_changed_at: new Date(now),
      previous_sealed_secret: overlapMs === null ? null : previous,
      previous_secret_until: overlapMs === null ? null : new Date(now + overlapMs),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeAudit(change, { merchantId: row.merchant_id, subjectId: id, ...audit });
  const endpoint = toEndpoint(row);
  await emailEndpointChange(change, endpoint, { what: 'secret' });
  return { endpoint, secret };
}

function requireOverlap(hours: number): void {
  if (Number.isInteger(hours) && hours >= 1 && hours <= MAX_SECRET_OVERLAP_HOURS) return;
  const message = `The overlap must be a whole number of hours from 1 to ${MAX_SECRET_OVERLAP_HOURS}`;
  throw new TerminalError('INVALID_REQUEST', message, { field: 'overlap_hours' });
}
