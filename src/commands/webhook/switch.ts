import { loadConfig } from '../../config/index.ts';
import { changeEndpoint, endpointOnWire } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';

/** `quittance webhook enable` and `disable`. */
export async function webhookSwitch(wanted: WebhookValues['switch'], enabled: boolean): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, json } = wanted;
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const changes = { enabled };
  const endpoint = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} is ${enabled ? 'enabled' : 'disabled'}`);
}
