import { loadConfig } from '../../config/index.ts';
import { changeEndpoint, endpointOnWire } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';
import { changesOf } from './context.ts';

/**
 * `quittance webhook change`: changes its URL, events, modes, description, auto-disabling or rate
 * limit.
 */
export async function webhookChange(wanted: WebhookValues['change']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, url, json } = wanted;
  const changes = { ...changesOf(wanted), ...(url === null ? {} : { url }) };
  if (Object.keys(changes).length === 0) {
    throw usage(
      'webhook change: say what: --url, --events, --modes, --description, --disables-itself, --disables-on-gone or --max-per-second',
    );
  }
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const endpoint = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} is changed`);
}
