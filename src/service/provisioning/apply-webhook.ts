import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../merchants/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { changeEndpoint, createEndpoint, type EndpointTerms, findEndpoint } from '../../webhooks/index.ts';
import type { WebhookEntry } from './file.ts';

/** An endpoint that the file created, with its signing secret. */
export interface CreatedWebhook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * Creates the endpoint, and returns it with its secret, or changes the one that has the URL and
 * returns null. Of an existing endpoint each field is written only when it differs in the file from
 * the last time, so that reapplying the file keeps what was changed in between: by the merchant, or
 * by the service, which disables endpoints. Throws what `createEndpoint` throws.
 */
export async function applyWebhook(
  change: Change,
  terms: EndpointTerms & { readonly secretBox: SecretBox },
  { merchantId, webhook }: { readonly merchantId: string; readonly webhook: WebhookEntry },
): Promise<CreatedWebhook | null> {
  const { url, ...fields } = webhook;
  const existing = await findEndpoint(change.trx, { merchantId, url });
  if (existing === null) {
    const { events = null, ...more } = fields;
    const { endpoint, secret } = await createEndpoint(change, terms, { merchantId, url, events, ...more });
    await remember(change, endpoint.id, fields);
    return { id: endpoint.id, url, secret };
  }
  const { id: endpointId } = existing;
  const before = await readProvisioned(change, endpointId);
  const changes = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(value, before[field])),
  );
  await changeEndpoint(change, terms, { merchantId, endpointId, changes });
  await remember(change, endpointId, fields);
  return null;
}

// Helpers

type Fields = Omit<WebhookEntry, 'url'>;

async function readProvisioned({ trx }: Change, endpointId: string): Promise<Readonly<Record<string, unknown>>> {
  const { provisioned } = await trx
    .selectFrom('webhook_endpoint')
    .select('provisioned')
    .where('id', '=', endpointId)
    .executeTakeFirstOrThrow();
  return provisioned ?? {};
}

async function remember({ trx }: Change, endpointId: string, fields: Fields): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ provisioned: JSON.stringify(fields) })
    .where('id', '=', endpointId)
    .execute();
}
