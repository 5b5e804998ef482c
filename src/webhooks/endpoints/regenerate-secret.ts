import { type Change, writeAudit } from '../../merchants/index.ts';
import { newWebhookSecret, type SecretBox } from '../../platform/secrets/index.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { type EndpointOfMerchant, endpointSecretContext, lockEndpoint, toEndpoint } from './endpoint.ts';
import { mailSecretChange } from './mail-secret-change.ts';

/**
 * Replaces the secret of an endpoint. After the commit every process signs with the new one,
 * because senders read the secret for each attempt. The old one stops signing, and so does one in a
 * rotation overlap. Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export async function regenerateSecret(
  change: Change,
  secretBox: SecretBox,
  input: EndpointOfMerchant,
): Promise<EndpointWithSecret> {
  const { trx, now } = change;
  const { id } = await lockEndpoint(trx, input);
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
