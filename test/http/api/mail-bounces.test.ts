import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { compileJsonWriter } from '../../../src/http/api/json-writer.ts';
import { addSecurityHeaders } from '../../../src/http/api/plugins/security-headers.ts';
import { sendProblems } from '../../../src/http/api/problem.ts';
import { type BounceRouteDeps, mailBouncesRoute } from '../../../src/http/api/routes/mail-bounces.ts';
import { SHARED_SCHEMAS } from '../../../src/http/api/schemas/shared.ts';
import { SERVER_OPTIONS } from '../../../src/http/api/server.ts';
import { queueEmails } from '../../../src/mail/index.ts';
import { claimDueEmails, settleEmail } from '../../../src/mail/mail-queue.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { derivedId, newId } from '../../../src/platform/ids.ts';
import { postfixReport } from '../../mail/reports.ts';
import { START_MS } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { expectProblem } from './support.ts';

const SECRET = 'a-bounce-secret-of-some-length';
const PATH = '/v1/mail/bounces';
const MESSAGE = { 'content-type': 'message/rfc822' };

interface Sent {
  readonly secret?: string | null;
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

describeDatabases('POST /mail/bounces', (database) => {
  let app: FastifyInstance | undefined;
  afterEach(() => app?.close());

  /** The route as the merchant API serves it. */
  async function start({
    bounceSecret = SECRET,
    notifyActor = null,
  }: Partial<BounceRouteDeps> = {}): Promise<FastifyInstance> {
    const fresh = fastify(SERVER_OPTIONS);
    app = fresh;
    addSecurityHeaders(fresh, { isHttps: false });
    await fresh.register(
      async (api) => {
        for (const schema of SHARED_SCHEMAS) api.addSchema(schema);
        api.setSerializerCompiler(({ schema }) => compileJsonWriter(schema, (id) => api.getSchema(id)));
        api.removeContentTypeParser('text/plain');
        sendProblems(api);
        await api.register(mailBouncesRoute, { db: database().db, bounceSecret, notifyActor });
      },
      { prefix: '/v1' },
    );
    return fresh;
  }

  async function post(to: FastifyInstance, { secret = SECRET, body, headers = {} }: Sent) {
    const response = await to.inject({
      method: 'POST',
      url: PATH,
      headers: { ...(secret === null ? {} : { authorization: `Bearer ${secret}` }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: JSON.parse(response.body) as unknown,
    };
  }

  async function sentMail({ actorId }: { readonly actorId?: string } = {}): Promise<string> {
    const { db } = database();
    const dedupeKey = newId('req');
    const id = derivedId('eml', dedupeKey);
    const mail = {
      merchantId: null,
      recipient: 'zoe@customer.example',
      subject: 'S',
      text: 'T',
      html: 'H',
      createdAt: START_MS,
    };
    await db
      .transaction()
      .execute((trx) => queueEmails(trx, [{ ...mail, dedupeKey, ...(actorId === undefined ? {} : { actorId }) }]));
    await claimDueEmails(db, { now: START_MS, leaseMs: 60_000, limit: 100 });
    await settleEmail(db, { id, tries: 1 }, { state: 'sent' }, START_MS);
    return id;
  }
  const stateOf = async (id: string) =>
    (await database().db.selectFrom('mail').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;

  test('accepts a report in its original form, and a list, as often as they are sent', async () => {
    const running = await start();
    const [first, second] = [await sentMail(), await sentMail()];
    const report = postfixReport({ messageId: `<${first}@shop.example>` });
    const list = { bounces: [{ message_id: `${second}@shop.example`, status: '5.1.1' }] };
    for (const _again of [1, 2]) {
      for (const sent of [{ body: report, headers: MESSAGE }, { body: list }]) {
        const response = await post(running, sent);
        expect(response).toMatchObject({ status: 200, body: { success: true, data: { matched: 1 } } });
      }
    }
    expect([await stateOf(first), await stateOf(second)]).toEqual(['failed', 'failed']);
  });

  test('is not found without a secret, whatever is sent', async () => {
    const running = await start({ bounceSecret: null });
    for (const secret of [null, SECRET, '']) {
      expectProblem(await post(running, { secret, body: { bounces: [] } }), 404, 'NOT_FOUND');
    }
  });

  test('requires the secret, and reads no body without it', async () => {
    const running = await start();
    const sent = await sentMail();
    const report = postfixReport({ messageId: `<${sent}@shop.example>` });
    for (const secret of [null, '', 'x', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase()]) {
      const response = await post(running, {
        secret,
        body: 'not JSON',
        headers: { 'content-type': 'application/json' },
      });
      expectProblem(response, 401, 'UNAUTHORIZED');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="quittance bounces"');
      expect(response.text).not.toContain(SECRET);
      expectProblem(await post(running, { secret, body: report, headers: MESSAGE }), 401, 'UNAUTHORIZED');
    }
    expect(await stateOf(sent)).toBe('sent');
  });

  const bounce = { message_id: '<a@b.example>', status: '5.1.1' };
  test.each<[string, Sent, RegExp]>([
    ['an email that is no report', { body: 'Subject: Hi\n\nHello', headers: MESSAGE }, /not a delivery status/],
    ['an empty message', { body: '', headers: MESSAGE }, /not a delivery status/],
    ['a message of 1 MB and more', { body: 'x'.repeat(1024 * 1024 + 1), headers: MESSAGE }, /larger than 1 MB/],
    ['no body', {}, /message\/rfc822/],
    ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, /message\/rfc822/],
    ['plain text', { body: 'Hello', headers: { 'content-type': 'text/plain' } }, /message\/rfc822/],
    ['a list of nothing', { body: { bounces: [] } }, /bounces must NOT have fewer than 1/],
    ['a list of too much', { body: { bounces: Array.from({ length: 101 }, () => bounce) } }, /more than 100/],
    ['an array', { body: [bounce] }, /must be a JSON object/],
    ['a basic status code', { body: { bounces: [{ ...bounce, status: '550' }] } }, /bounces\.0\.status/],
    ['a bounce without status', { body: { bounces: [{ message_id: 'x' }] } }, /bounces\.0\.status is required/],
    [
      'a field there is not',
      { body: { bounces: [{ ...bounce, email: 'a@b.example' }] } },
      /bounces\.0\.email is not a field/,
    ],
  ])('rejects %s, with the reason', async (_name, sent, problem) => {
    const response = await post(await start(), sent);
    expect(expectProblem(response, 400, 'INVALID_REQUEST').message).toMatch(problem);
  });

  test('requests a retry when it cannot be processed now', async () => {
    const notifyActor = () => Promise.reject(new RetryableError('ENGINE_BUSY', 'busy', { retryAfterMs: 2_000 }));
    const id = await sentMail({ actorId: newId('txn') });
    const bounces = [{ message_id: `${id}@shop.example`, status: '5.1.1' }];
    const response = await post(await start({ notifyActor }), { body: { bounces } });
    expectProblem(response, 500, 'UPSTREAM_ERROR');
    expect(response.headers['retry-after']).toBe('2');
    expect(await stateOf(id)).toBe('sent');
  });
});
