import { loadConfig } from '../../platform/config/index.ts';
import { changeEndpoint, createEndpoint, deleteEndpoint, endpointOnWire } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { issueSecret } from '../key/show-once.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';
import { changesOf, endpointTermsOf, secretJson, secretOf, secretText } from './context.ts';

/**
 * `quittance webhook change`: changes its URL, events, modes, description, auto-disabling or rate
 * limit.
 */
export async function webhookChange(options: WebhookValues['change']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, url, json } = options;
  const changes = { ...changesOf(options), ...(url === null ? {} : { url }) };
  if (Object.keys(changes).length === 0) {
    throw usage(
      'webhook change: pass at least one of --url, --events, --modes, --description, --disables-itself, --disables-on-gone and --max-per-second',
    );
  }
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const { endpoint } = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} changed`);
}

/** `quittance webhook create`: creates an endpoint for a merchant. */
export async function webhookCreate(options: WebhookValues['create']): Promise<void> {
  const { merchant: merchantName, url, out, json } = options;
  const terms = await endpointTermsOf(loadConfig(process.env));
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const spec = { merchantId, url, events: null, ...changesOf(options) };
        const made = secretOf(await createEndpoint(change, terms, spec));
        await keep(made);
        return made;
      }),
    ),
  );
  printResult(json, secretJson(out, issued), () => `New endpoint ${issued.endpoint_id}\n${secretText(out, issued)}`);
}

/** `quittance webhook enable` and `disable`. */
export async function webhookSwitch(options: WebhookValues['switch'], enabled: boolean): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, json } = options;
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const changes = { enabled };
  const { endpoint } = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} ${enabled ? 'enabled' : 'disabled'}`);
}

/** `quittance webhook delete`: stops all webhooks to the endpoint, on every process. */
export async function webhookDelete({
  merchant: merchantName,
  endpoint: endpointId,
  json,
}: WebhookValues['delete']): Promise<void> {
  await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => deleteEndpoint(change, { merchantId, endpointId })),
  );
  printResult(json, { endpoint_id: endpointId, deleted: true }, () => `${endpointId} deleted`);
}
