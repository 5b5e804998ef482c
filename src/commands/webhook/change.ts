import { loadConfig } from '../../config/index.ts';
import { changeEndpoint } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import { changesOf } from './context.ts';
import { endpointToJson } from './endpoint-json.ts';

interface Wanted {
  readonly merchant: string;
  readonly endpoint: string;
  readonly url: string | null;
  readonly events: string | null;
  readonly modes: string | null;
  readonly description: string | null;
  readonly 'disables-itself': 'on' | 'off' | null;
  readonly 'disables-on-gone': 'on' | 'off' | null;
  readonly 'max-per-second': number | null;
  readonly json: boolean;
}

/**
 * `quittance webhook change`: changes its URL, events, modes, description, auto-disabling or rate
 * limit.
 */
export async function webhookChange(wanted: Wanted): Promise<void> {
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
  printResult(json, endpointToJson(endpoint), () => `${endpoint.id} is changed`);
}
