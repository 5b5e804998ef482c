import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { MODES } from '../../../machines/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';
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
 * Creates the endpoint, and returns it with its secret, or changes the one that the file described
 * before or that has the URL, and returns null. Of an existing endpoint each field is written only
 * when it differs in the file from the last time, so that reapplying the file keeps what was changed
 * in between: by the merchant, also the URL, or by the service, which disables endpoints. Throws
 * what `createEndpoint` throws.
 */
export async function applyWebhook(
  change: AuditedChange,
  terms: EndpointTerms & { readonly secretBox: SecretBox },
  { merchantId, webhook }: { readonly merchantId: string; readonly webhook: WebhookEntry },
): Promise<CreatedWebhook | null> {
  const { url, ...fields } = webhook;
  const existing =
    (await findProvisioned(change, { merchantId, url })) ?? (await findEndpoint(change.trx, { merchantId, url }));
  if (existing === null) {
    const { events = null, modes = MODES, ...more } = fields;
    const { endpoint, secret } = await createEndpoint(change, terms, { merchantId, url, events, modes, ...more });
    await remember(change, endpoint.id, webhook);
    return { id: endpoint.id, url, secret };
  }
  const { id: endpointId } = existing;
  const before = await readProvisioned(change, endpointId);
  const changes = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(value, before[field])),
  );
  await changeEndpoint(change, terms, { merchantId, endpointId, changes });
  await remember(change, endpointId, webhook);
  return null;
}

// Helpers

/** The endpoint that the file described under this URL when it was last applied. */
async function findProvisioned(
  { trx }: AuditedChange,
  { merchantId, url }: { readonly merchantId: string; readonly url: string },
): Promise<{ readonly id: string } | null> {
  const found = await trx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null)
    .where(sql`provisioned ->> 'url'`, '=', url)
    .executeTakeFirst();
  return found ?? null;
}

async function readProvisioned({ trx }: AuditedChange, endpointId: string): Promise<Readonly<Record<string, unknown>>> {
  const { provisioned } = await trx
    .selectFrom('webhook_endpoint')
    .select('provisioned')
    .where('id', '=', endpointId)
    .executeTakeFirstOrThrow();
  return provisioned ?? {};
}

async function remember({ trx }: AuditedChange, endpointId: string, webhook: WebhookEntry): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ provisioned: JSON.stringify(webhook) })
    .where('id', '=', endpointId)
    .execute();
}
