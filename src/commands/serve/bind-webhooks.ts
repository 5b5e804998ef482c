import type { Kysely } from 'kysely';
import type { WebhookEndpoints } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import type { Caller, Change } from '../../merchants/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';
import type { SecretBox } from '../../secrets/index.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointTerms,
  getEndpoint,
  listEndpoints,
  regenerateSecret,
  rotateSecret,
  sendTestEvent,
  type TestEventDeps,
} from '../../webhooks/index.ts';

export interface WebhooksBinding extends TestEventDeps {
  readonly endpoints: EndpointTerms & { readonly secretBox: SecretBox };
}

/**
 * Binds the webhook endpoints of the merchant API to their use cases; the audit log names the key.
 */
export function bindWebhookEndpoints(deps: WebhooksBinding, { watch }: Pick<OutageNotice, 'watch'>): WebhookEndpoints {
  const { db, clock, endpoints } = deps;
  const changing = <T>(caller: Caller, work: (change: Change) => Promise<T>) =>
    watch(() => whileDatabaseAnswers(() => inTransaction({ db, clock }, caller, work)));
  return {
    list: ({ merchantId }) => watch(() => whileDatabaseAnswers(() => listEndpoints(db, merchantId))),
    get: ({ merchantId }, endpointId) =>
      watch(() => whileDatabaseAnswers(() => getEndpoint(db, { merchantId, endpointId }))),
    create: (caller, wanted) =>
      changing(caller, (change) => createEndpoint(change, endpoints, { ...wanted, merchantId: caller.merchantId })),
    change: (caller, endpointId, changes) =>
      changing(caller, (change) =>
        changeEndpoint(change, endpoints, { merchantId: caller.merchantId, endpointId, changes }),
      ),
    remove: (caller, endpointId) =>
      changing(caller, (change) => deleteEndpoint(change, { merchantId: caller.merchantId, endpointId })),
    regenerateSecret: (caller, endpointId) =>
      changing(caller, (change) =>
        regenerateSecret(change, endpoints.secretBox, { merchantId: caller.merchantId, endpointId }),
      ),
    rotateSecret: (caller, endpointId, rotation) =>
      changing(caller, (change) =>
        rotateSecret(change, endpoints.secretBox, { ...rotation, merchantId: caller.merchantId, endpointId }),
      ),
    sendTest: ({ merchantId }, endpointId, event) =>
      watch(() => sendTestEvent(deps, { merchantId, endpointId, event })),
  };
}

// Helpers

function inTransaction<T>(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  { keyId }: Caller,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => work({ trx, who: `API key ${keyId}`, now: clock.now() }));
}
