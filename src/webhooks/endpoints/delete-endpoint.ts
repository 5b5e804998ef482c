import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { auditedUrl, type EndpointOfMerchant, lockEndpoint, toEndpoint, type WebhookEndpoint } from './endpoint.ts';

/**
 * Deletes an endpoint: after the commit no event is delivered to it, and unfinished deliveries fail
 * as `endpoint_gone`. Its row stays for the delivery log, without the secret; its URL can be used
 * again. Returns it as it was. Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export async function deleteEndpoint(change: AuditedChange, input: EndpointOfMerchant): Promise<WebhookEndpoint> {
  const { trx, now } = change;
  const row = await lockEndpoint(trx, input);
  const { id, merchant_id: merchantId, url } = row;
  await trx
    .updateTable('webhook_endpoint')
    .set({
      deleted_at: new Date(now),
      enabled: false,
      sealed_secret: ERASED,
      previous_sealed_secret: null,
      previous_secret_until: null,
      failing_since: null,
    })
    .where('id', '=', id)
    .execute();
  await writeAudit(change, {
    merchantId,
    what: 'webhook_endpoint.deleted',
    subjectId: id,
    details: { url: auditedUrl(url) },
  });
  return toEndpoint(row);
}

/** Stored instead of the sealed secret of a deleted endpoint. */
export const ERASED = '';
