import { type Change, writeAudit } from '../../merchants/index.ts';
import { newWebhookSecret, type SecretBox } from '../../secrets/index.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { type EndpointOfMerchant, endpointSecretContext, lockEndpoint, toEndpoint } from './endpoint.ts';
import { mailSecretChange } from './mail-secret-change.ts';

/**
 * Gives an endpoint another secret. From the commit on, every process signs with it: senders read the secret for each attempt.
 * The old one signs
 * nothing any more, nor does one whose overlap has not ended. Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export async function regenerateSecret(
  change: Change,
  secretBox: SecretBox,
  wanted: EndpointOfMerchant,
): Promise<EndpointWithSecret> {
  const { trx, now } = change;
  const { id } = await lockEndpoint(trx, wanted);
  const secret = newWebhookSecret();
  const row = await trx
    .updateTable('webhook_endpoint')
    .set({
      sealed_secret: secretBox.seal(secret, endpointSecretContext(id)),
      secret_changed_at: new Date(now),
      previous_sealed_secret: null,
      previous_secret_until: null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeAudit(change, {
    merchantId: row.merchant_id,
    what: 'webhook_endpoint.secret_regenerated',
    subjectId: id,
  });
  await mailSecretChange(change, row);
  return { endpoint: toEndpoint(row), secret };
}
