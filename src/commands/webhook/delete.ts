import { deleteEndpoint } from '../../webhooks/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';

/** `quittance webhook delete`: stops all webhooks to the endpoint, on every process. */
export async function webhookDelete({
  merchant: merchantName,
  endpoint: endpointId,
  json,
}: WebhookValues['delete']): Promise<void> {
  await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => deleteEndpoint(change, { merchantId, endpointId })),
  );
  printResult(json, { endpoint_id: endpointId, deleted: true }, () => `${endpointId} is deleted`);
}
