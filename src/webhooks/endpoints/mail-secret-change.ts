import { HOUR_MS } from '../../../machines/index.ts';
import { mailOwners } from '../../accounts/index.ts';
import type { Change } from '../../merchants/index.ts';
import type { EndpointRow } from './endpoint.ts';

/**
 * Emails the owners that the secret of an endpoint has changed, in the commit that changes it: at
 * most once an hour per endpoint and person.
 */
export async function mailSecretChange(
  change: Change,
  { id, merchant_id: merchantId, url }: EndpointRow,
): Promise<void> {
  const { who, now } = change;
  const { host } = new URL(url);
  await mailOwners(change, {
    merchantId,
    about: `webhook_secret:${id}:${Math.floor(now / HOUR_MS)}:${who}`,
    content: {
      subject: `The webhook secret of ${host} was changed`,
      blocks: [
        { kind: 'paragraph', text: `Your webhook endpoint at ${host} has a new secret.` },
        {
          kind: 'details',
          details: [
            ['Endpoint', id],
            ['Changed by', who],
          ],
        },
        {
          kind: 'paragraph',
          text: 'If that was you, no action is needed. If not, regenerate the secret and revoke the API key or end the sessions that were used.',
        },
      ],
    },
  });
}
