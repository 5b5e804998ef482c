import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../../src/platform/ids.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../../src/webhooks/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../../support/outside/receiver.ts';
import { POLLING } from '../../../support/polling.ts';
import type { ApiRequest, TestMerchant } from '../../../support/service/app.ts';
import { LOOPBACK } from '../../../webhooks/harness.ts';
import { expectDocumented, expectProblem, useApp } from '../support.ts';

interface Endpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly enabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_because: string | null;
  readonly secret_changed_at: string;
  readonly previous_secret_until: string | null;
}
interface WithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}
interface Sent {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event: string;
}

/** Operations on one endpoint. */
const OPERATIONS: readonly {
  name: string;
  method: 'GET' | 'PATCH' | 'DELETE' | 'POST';
  verb: string;
  body?: object;
}[] = [
  { name: 'GET /webhooks/endpoints/{endpoint_id}', method: 'GET', verb: '' },
  { name: 'PATCH /webhooks/endpoints/{endpoint_id}', method: 'PATCH', verb: '', body: { description: 'x' } },
  {
    name: 'POST /webhooks/endpoints/{endpoint_id}/test',
    method: 'POST',
    verb: '/test',
    body: { event: 'payment.failed' },
  },
  {
    name: 'POST /webhooks/endpoints/{endpoint_id}/regenerate-secret',
    method: 'POST',
    verb: '/regenerate-secret',
  },
  { name: 'DELETE /webhooks/endpoints/{endpoint_id}', method: 'DELETE', verb: '' },
];

describeDatabases('webhook endpoints over the API', (database) => {
  const lines: string[] = [];
  const secrets: string[] = [];
  let created = 0;
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const { app, merchant } = useApp(database, {
    webhooks: LOOPBACK,
    log: createLogger({ level: 'trace', destination }),
  });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    await give(merchant(), 'enterprise');
  });
  afterAll(() => receiver?.close());

  const give = ({ id }: TestMerchant, plan: string) =>
    database().db.updateTable('merchant').set({ plan }).where('id', '=', id).execute();

  /** Sends a request, and expects a response with this status that matches the description. */
  async function ask<T>(request: ApiRequest, status: number, name: string): Promise<T> {
    const response = await app().call<{ data: T }>(request);
    expect({ status: response.status, text: response.text }).toMatchObject({ status });
    expectDocumented(name, response);
    return response.body.data;
  }
  const live = () => merchant().keys.sk_live;
  const create = async (body: object, key = live()) => {
    const request = { method: 'POST', path: '/webhooks/endpoints', key, body } as const;
    const made = await ask<WithSecret>(request, 201, 'POST /webhooks/endpoints');
    secrets.push(made.secret);
    return made;
  };
  const list = async (key = live()) =>
    (await ask<{ endpoints: Endpoint[] }>({ path: '/webhooks/endpoints', key }, 200, 'GET /webhooks/endpoints'))
      .endpoints;
  const on = <T>(id: string, operation: (typeof OPERATIONS)[number], status: number, body?: object) => {
    const { name, method, verb } = operation;
    const sent = body ?? operation.body;
    const path = `/webhooks/endpoints/${id}${verb}`;
    return ask<T>({ method, path, key: live(), ...(sent === undefined ? {} : { body: sent }) }, status, name);
  };
  const [GET, PATCH, TEST, REGENERATE, DELETE] = OPERATIONS as [
    (typeof OPERATIONS)[number],
    (typeof OPERATIONS)[number],
    (typeof OPERATIONS)[number],
    (typeof OPERATIONS)[number],
    (typeof OPERATIONS)[number],
  ];

  test('the owners get an email of each change that a key makes to where events go, and of repeated ones one', async () => {
    const { db } = database();
    const email = `owner-${merchant().id}@shop.example`;
    const owner = {
      id: newId('usr'),
      merchant_id: merchant().id,
      email,
      role: 'owner',
      password_hash: 'none',
    } as const;
    await db.insertInto('merchant_user').values(owner).execute();
    const subjects = async () => {
      const rows = await db.selectFrom('mail').select(['subject', 'text']).where('recipient', '=', email).execute();
      for (const { text } of rows) expect(text).not.toContain('quiet');
      return rows.map(({ subject }) => subject).toSorted();
    };
    const { endpoint } = await create({ url: 'https://mailed.example/hooks?token=quiet' });
    const id = endpoint.endpoint_id;
    await on(id, PATCH, 200, {});
    await on(id, PATCH, 200, { description: 'the same events at the same place' });
    const added = ['A webhook endpoint was added: mailed.example'];
    expect(await subjects()).toEqual(added);
    for (const enabled of [false, true, false, true]) await on(id, PATCH, 200, { enabled });
    const changed = 'The webhook endpoint at mailed.example was changed';
    expect(await subjects()).toEqual([...added, changed, changed]);
    await on(id, PATCH, 200, { url: 'https://thief.example/hooks' });
    await on(id, DELETE, 200);
    expect(await subjects()).toEqual([
      ...added,
      changed,
      changed,
      'The webhook endpoint at thief.example was changed',
      'The webhook endpoint at thief.example was deleted',
    ]);
  });

  test('are managed from creation to deletion; the secret is in two responses and nowhere else', async () => {
    const url = 'https://shop.example/hooks?token=quiet';
    const { endpoint, secret } = await create({ url, events: ['payment.completed'], description: 'Web shop' });
    expect(secret).toMatch(/^whsec_/);
    expect(endpoint).toMatchObject({ url, events: ['payment.completed'], description: 'Web shop', enabled: true });
    const { endpoint_id: id } = endpoint;
    expect(await on(id, GET, 200)).toEqual(endpoint);
    expect(await list()).toContainEqual(endpoint);
    expect(await on(id, PATCH, 200, {})).toEqual(endpoint);
    const off = await on<Endpoint>(id, PATCH, 200, { enabled: false, events: null });
    expect(off).toMatchObject({ enabled: false, disabled_at: expect.any(String), disabled_because: 'merchant' });
    expect(off.events).toHaveLength(WEBHOOK_EVENT_TYPES.length - 1);
    expect(await on(id, PATCH, 200, { enabled: true, events: ['payment.completed'] })).toEqual(endpoint);

    const made = await on<WithSecret>(id, REGENERATE, 200);
    expect(made.secret).not.toBe(secret);
    secrets.push(made.secret);
    expect(await on(id, DELETE, 200)).toEqual({ endpoint_id: id, deleted: true });
    await on(id, GET, 404);
    await on(id, DELETE, 404);
    expect(await list()).not.toContainEqual(expect.objectContaining({ endpoint_id: id }));

    const audit = await sql<{ entry: string }>`
      select audit_entry::text as entry from audit_entry where subject_id = ${id} order by id`.execute(database().db);
    expect(audit.rows).toHaveLength(7);
    for (const { entry } of audit.rows) expect(entry).toContain('API key key_');
    expect(JSON.stringify(audit.rows)).not.toMatch(/token=quiet|whsec_/);
    const rows = await sql<{ row: string }>`select webhook_endpoint::text as row from webhook_endpoint`.execute(
      database().db,
    );
    for (const each of [secret, made.secret]) expect(JSON.stringify(rows.rows)).not.toContain(each.slice(8, 30));
  });

  test.each([
    [{ url: 'not a url' }, 'INVALID_WEBHOOK_URL', 'url'],
    [{ url: 5 }, 'INVALID_REQUEST', 'url'],
    [{ events: ['payment.complete'] }, 'INVALID_REQUEST', 'events.0'],
    [{ description: 'x'.repeat(201) }, 'INVALID_REQUEST', 'description'],
    [{ enabled: 'yes' }, 'INVALID_REQUEST', 'enabled'],
    [{ disables_itself: null }, 'INVALID_REQUEST', 'disables_itself'],
    [{ secret: 'whsec_mine' }, 'INVALID_REQUEST', 'secret'],
  ])('%j is rejected by field, and changes nothing', async (wrong, code, field) => {
    created += 1;
    const { endpoint } = await create({ url: `https://shop.example/before/${created}` });
    const id = endpoint.endpoint_id;
    const before = await list();
    const changed = await app().call({ method: 'PATCH', path: `/webhooks/endpoints/${id}`, key: live(), body: wrong });
    const made = await app().call({
      method: 'POST',
      path: '/webhooks/endpoints',
      key: live(),
      body: { url: 'https://shop.example/other', ...wrong },
    });
    for (const response of [changed, made]) {
      expect(expectProblem(response, 400, code).details?.map((detail) => detail.field)).toContain(field);
    }
    expect(await list()).toEqual(before);
  });

  test('rule 61: a rotation returns the new secret and the end of the overlap, by default after 24 hours', async () => {
    const { endpoint, secret: old } = await create({ url: 'https://shop.example/rotated' });
    expect(endpoint.previous_secret_until).toBeNull();
    for (const [body, hours] of [
      [{ overlap_hours: 1 }, 1],
      [{}, 24],
    ] as const) {
      const path = `/webhooks/endpoints/${endpoint.endpoint_id}/rotate-secret`;
      const request = { method: 'POST', path, key: live(), body } as const;
      const made = await ask<WithSecret>(request, 200, 'POST /webhooks/endpoints/{endpoint_id}/rotate-secret');
      secrets.push(made.secret);
      expect(made.secret).not.toBe(old);
      const { secret_changed_at: from, previous_secret_until: until } = made.endpoint;
      expect(Date.parse(until ?? '') - Date.parse(from)).toBe(hours * 3_600_000);
    }
    for (const overlap of [0, 25, 1.5, '6', null]) {
      const path = `/webhooks/endpoints/${endpoint.endpoint_id}/rotate-secret`;
      const response = await app().call({ method: 'POST', path, key: live(), body: { overlap_hours: overlap } });
      expect(expectProblem(response, 400, 'INVALID_REQUEST').details?.[0]?.field).toBe('overlap_hours');
    }
    const path = `/webhooks/endpoints/${endpoint.endpoint_id}/rotate-secret`;
    for (const body of [{}, { body: 'null' }])
      expectProblem(await app().call({ method: 'POST', path, key: live(), ...body }), 400, 'INVALID_REQUEST');
  });

  describe('test events', () => {
    test.each(['payment.completed', 'recurring.payment.unpaid'] as const)(
      '%s is posted to the endpoint, signed and marked',
      async (event) => {
        const other = await startReceiver();
        try {
          const { endpoint, secret } = await create({ url: `${receiver.url}/${event}`, events: ['payment.created'] });
          const { endpoint: neighbour } = await create({ url: other.url, events: [...WEBHOOK_EVENT_TYPES] });
          receiver.trust(secret);
          const sent = await on<Sent>(endpoint.endpoint_id, TEST, 202, { event });
          const about = () => receiver.requests.filter(({ headers }) => headers['webhook-id'] === sent.event_id);
          await vi.waitFor(() => expect(about()).toHaveLength(1), POLLING);
          const [got] = about();
          expect(got).toMatchObject({
            isServiceSignatureValid: true,
            isStandardSignatureValid: true,
            headers: { 'x-service-event': event, 'x-webhook-id': endpoint.endpoint_id, 'x-service-attempt': '1' },
          });
          const body = JSON.parse(got?.body ?? '') as Record<string, unknown>;
          expect(body).toMatchObject({ id: sent.event_id, event });
          expect(body).toMatchObject(
            event.startsWith('payment.') ? { metadata: { test: true } } : { reference: 'test' },
          );
          await vi.waitFor(async () => {
            const rows = await database()
              .db.selectFrom('webhook_delivery')
              .innerJoin('webhook_event', 'webhook_event.id', 'webhook_event_id')
              .select(['webhook_delivery.id', 'endpoint_id', 'state', 'is_test'])
              .where('webhook_event_id', '=', sent.event_id)
              .execute();
            const { delivery_id: id } = sent;
            expect(rows).toEqual([{ id, endpoint_id: endpoint.endpoint_id, state: 'delivered', is_test: true }]);
          }, POLLING);
          expect(other.connections).toBe(0);
          await on(neighbour.endpoint_id, DELETE, 200);
        } finally {
          await other.close();
        }
      },
    );

    test('are rejected for a disabled endpoint, and for an unknown event', async () => {
      const { endpoint } = await create({ url: `${receiver.url}/off`, enabled: false });
      const request = {
        method: 'POST',
        path: `/webhooks/endpoints/${endpoint.endpoint_id}/test`,
        key: live(),
      } as const;
      const disabled = await app().call({ ...request, body: { event: 'payment.completed' } });
      expect(expectProblem(disabled, 409, 'INVALID_STATE').message).toMatch(/disabled; enable it first/);
      for (const body of [{}, { event: 'payment.done' }, { event: 'payment.completed', to: 'all' }]) {
        expectProblem(await app().call({ ...request, body }), 400, 'INVALID_REQUEST');
      }
    });
  });

  test('none of the above logged a secret, or the query of a URL', () => {
    expect(lines.some((line) => line.includes('webhook attempt'))).toBe(true);
    const log = lines.join('');
    // Without the prefix by which the log redacts secrets.
    expect(secrets.filter((secret) => log.includes(secret.slice('whsec_'.length + 2, 30)))).toEqual([]);
    expect(log).not.toContain('token=quiet');
  });
});
