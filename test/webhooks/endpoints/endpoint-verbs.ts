import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointChanges,
  type NewEndpoint,
  regenerateSecret,
  rotateSecret,
} from '../../../src/webhooks/index.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { PUBLIC_ONLY, TEST_KEY } from '../harness.ts';

export const secretBox = createSecretBox(TEST_KEY);
/** No plan and no private address. */
export const UNLIMITED = { secretBox, urls: PUBLIC_ONLY, plansEnabled: false };
/** The time of every change. */
export const NOW = 1_790_000_000_000;

/** The use cases of endpoints, each in its own transaction, at a fixed time. */
export function endpointVerbs(database: () => TestDatabase) {
  const changing = <T>(work: (change: Parameters<typeof createEndpoint>[0]) => Promise<T>, now = NOW): Promise<T> =>
    database()
      .db.transaction()
      .execute((trx) => work({ trx, who: 'a test', now }));
  return {
    create: (spec: Partial<NewEndpoint> & { merchantId: string }, terms = UNLIMITED) =>
      changing((change) => createEndpoint(change, terms, { url: 'https://shop.example/hooks', events: null, ...spec })),
    change: async (merchantId: string, endpointId: string, changes: EndpointChanges, terms = UNLIMITED) =>
      (await changing((change) => changeEndpoint(change, terms, { merchantId, endpointId, changes }))).endpoint,
    regenerate: (merchantId: string, endpointId: string) =>
      changing((change) => regenerateSecret(change, secretBox, { merchantId, endpointId })),
    rotate: (merchantId: string, endpointId: string, overlapHours?: number, now = NOW) =>
      changing(
        (change) =>
          rotateSecret(change, secretBox, {
            merchantId,
            endpointId,
            ...(overlapHours === undefined ? {} : { overlapHours }),
          }),
        now,
      ),
    remove: (merchantId: string, endpointId: string) =>
      changing((change) => deleteEndpoint(change, { merchantId, endpointId })),
    rowOf: (id: string) =>
      database().db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    audit: (id: string) =>
      database()
        .db.selectFrom('audit_entry')
        .select(['who', 'what', 'details', 'occurred_at'])
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute(),
  };
}
