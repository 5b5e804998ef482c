import { loadConfig } from '../../config/index.ts';
import { createEndpoint } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { handOut } from '../key/show-once.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';
import { changesOf, endpointTermsOf } from './context.ts';
import { secretJson, secretOf, secretText } from './secret-once.ts';

/** `quittance webhook create`: creates an endpoint for a merchant. */
export async function webhookCreate(wanted: WebhookValues['create']): Promise<void> {
  const { merchant: merchantName, url, out, json } = wanted;
  const terms = await endpointTermsOf(loadConfig(process.env));
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    handOut(out, (keep) =>
      changing(db, async (change) => {
        const spec = { merchantId, url, events: null, ...changesOf(wanted) };
        const made = secretOf(await createEndpoint(change, terms, spec));
        await keep(made);
        return made;
      }),
    ),
  );
  printResult(json, secretJson(out, issued), () => `New endpoint ${issued.endpoint_id}\n${secretText(out, issued)}`);
}
