import { loadConfig } from '../../platform/config/index.ts';
import { regenerateSecret, rotateSecret } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { issueSecret } from '../key/show-once.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';
import { endpointTermsOf, secretJson, secretOf, secretText } from './context.ts';

/** `quittance webhook rotate-secret`: both secrets sign attempts during the overlap. */
export async function webhookRotateSecret(options: WebhookValues['rotateSecret']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, overlap: overlapHours, out, json } = options;
  const { secretBox } = await endpointTermsOf(loadConfig(process.env));
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const made = secretOf(await rotateSecret(change, secretBox, { merchantId, endpointId, overlapHours }));
        await keep(made);
        return made;
      }),
    ),
  );
  printResult(json, secretJson(out, issued), () =>
    [
      `${issued.endpoint_id} has a new secret; the old one signs for another ${overlapHours} h`,
      secretText(out, issued),
    ].join('\n'),
  );
}

/**
 * `quittance webhook regenerate-secret`: every process signs with the new secret from the next
 * attempt on.
 */
export async function webhookRegenerateSecret(options: WebhookValues['regenerateSecret']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, out, json } = options;
  const { secretBox } = await endpointTermsOf(loadConfig(process.env));
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const made = secretOf(await regenerateSecret(change, secretBox, { merchantId, endpointId }));
        await keep(made);
        return made;
      }),
    ),
  );
  printResult(json, secretJson(out, issued), () =>
    [`${issued.endpoint_id} has a new secret; the old one no longer works`, secretText(out, issued)].join('\n'),
  );
}
