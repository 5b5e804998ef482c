import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../../machines/index.ts';
import { verifyWebhook } from '../../../src/client/index.ts';
import { createStorageWorker } from '../../../src/operations/index.ts';
import { createKindRegistry } from '../../../src/platform/engine/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createSecretBox, newWebhookSecret } from '../../../src/platform/secrets/index.ts';
import {
  checkEndpointSecrets,
  forgetPreviousSecrets,
  resealEndpointSecrets,
  rotateSecret,
  WEBHOOK_EVENT_TYPES,
} from '../../../src/webhooks/index.ts';
import { sampleEventBody } from '../../../src/webhooks/sample-event.ts';
import { webhookHeaders } from '../../../src/webhooks/sign.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { silentLog } from '../../support/silent-log.ts';
import {
  addEndpoint,
  createMerchant,
  raiseEvent,
  startWebhookService,
  TEST_KEY,
  type WebhookService,
} from '../harness.ts';
import { endpointVerbs, NOW, secretBox } from './endpoint-verbs.ts';

const KEEP_ALL = {
  webhookAttempts: null,
  webhookEvents: null,
  mails: null,
  notices: null,
  deadLetters: null,
  runs: null,
  sessions: null,
  audit: null,
  archive: null,
} as const;

describeDatabases('a webhook secret rotated with an overlap', (database) => {
  const { create, rotate, regenerate, remove, rowOf, audit } = endpointVerbs(database);
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function open(): Promise<{
    service: WebhookService;
    receiver: Receiver;
    merchantId: string;
    id: string;
    secret: string;
    send: () => Promise<ReceivedWebhook>;
  }> {
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const { id, secret } = await addEndpoint(database(), { merchantId, url: receiver.url });
    const service = await startWebhookService({ connection: database(), random: () => 0.5 });
    opened.unshift({ close: () => service.stop() });
    const send = async () => {
      const before = receiver.requests.length;
      await raiseEvent(service, database(), { merchantId });
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(before + 1), POLLING);
      return receiver.requests[before] as ReceivedWebhook;
    };
    return { service, receiver, merchantId, id, secret, send };
  }
  const accepts = ({ service }: { service: WebhookService }, { body, headers }: ReceivedWebhook, secret: string) => {
    try {
      verifyWebhook(body, headers, secret, { mode: 'both', now: service.clock.now });
      return true;
    } catch (error) {
      // The bodies of this harness are incomplete events, which is checked after the signature.
      return (error as { code: string }).code === 'PAYLOAD_INVALID';
    }
  };

  test('rule 61: sends both signatures until the overlap ends, and only the new one from then on', async () => {
    const shop = await open();
    const { secret: fresh, endpoint } = await rotate(shop.merchantId, shop.id, 2, shop.service.clock.now());
    expect(endpoint.previousSecretUntil).toBe(shop.service.clock.now() + 2 * HOUR_MS);
    shop.receiver.trust(fresh);
    const during = await shop.send();
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(during).toMatchObject({ isServiceSignatureValid: true, isStandardSignatureValid: true });
    expect([accepts(shop, during, shop.secret), accepts(shop, during, fresh)]).toEqual([true, true]);

    shop.service.clock.advance(2 * HOUR_MS - 1);
    const last = await shop.send();
    expect([accepts(shop, last, shop.secret), accepts(shop, last, fresh)]).toEqual([true, true]);

    shop.service.clock.advance(1);
    const after = await shop.send();
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect([accepts(shop, after, shop.secret), accepts(shop, after, fresh)]).toEqual([false, true]);
  });

  test('signs with the two newest when it is rotated again, and with the newest only once it is regenerated', async () => {
    const shop = await open();
    const at = shop.service.clock.now();
    const { secret: second } = await rotate(shop.merchantId, shop.id, 24, at);
    const { secret: third } = await rotate(shop.merchantId, shop.id, 24, at);
    const rotated = await shop.send();
    expect([shop.secret, second, third].map((each) => accepts(shop, rotated, each))).toEqual([false, true, true]);
    const { secret: fourth, endpoint } = await regenerate(shop.merchantId, shop.id);
    expect(endpoint.previousSecretUntil).toBeNull();
    const regenerated = await shop.send();
    expect([third, fourth].map((each) => accepts(shop, regenerated, each))).toEqual([false, true]);
  });

  test('is stored sealed, audited without either secret, resealed with both, and erased with the endpoint', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint, secret: old } = await create({ merchantId });
    const { secret } = await rotate(merchantId, endpoint.id);
    const row = await rowOf(endpoint.id);
    expect(row.previous_secret_until).toBe(NOW + 24 * HOUR_MS);
    expect(JSON.stringify(row)).not.toContain(old);
    expect(JSON.stringify(row)).not.toContain(secret);
    const [, entry] = await audit(endpoint.id);
    expect(entry).toMatchObject({ what: 'webhook_endpoint.secret_rotated', details: { overlap_hours: 24 } });

    const box = createSecretBox(Buffer.alloc(32, 9), TEST_KEY);
    expect((await resealEndpointSecrets(database().db, box)).unreadable).toEqual([]);
    const { sealed_secret: sealed, previous_sealed_secret: previous } = await rowOf(endpoint.id);
    const opened = [sealed, previous ?? ''].map((each) => box.open(each, `webhook:${endpoint.id}`));
    expect(opened).toEqual([secret, old]);
    expect([sealed, previous ?? ''].every((each) => box.isCurrent(each))).toBe(true);
    expect(await checkEndpointSecrets(database().db, box)).toMatchObject({ unreadable: 0 });

    await remove(merchantId, endpoint.id);
    expect(await rowOf(endpoint.id)).toMatchObject({ previous_sealed_secret: null, previous_secret_until: null });
    await database().db.deleteFrom('webhook_endpoint').where('id', '=', endpoint.id).execute();
  });

  test('rule 61: the previous one is deleted by the storage worker once its overlap is over, and not before', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    await rotate(merchantId, endpoint.id, 2);
    const { db } = database();
    await forgetPreviousSecrets(db, NOW + 2 * HOUR_MS - 1);
    expect((await rowOf(endpoint.id)).previous_sealed_secret).not.toBeNull();
    const clock = createTestClock(NOW + 2 * HOUR_MS);
    const kinds = createKindRegistry([]);
    const retention = KEEP_ALL;
    const worker = createStorageWorker({
      db,
      clock,
      log: silentLog,
      kinds,
      isEmbedded: false,
      archiveAfterDays: 35,
      retention,
    });
    worker.start();
    const gone = { previous_sealed_secret: null, previous_secret_until: null };
    await vi.waitFor(async () => expect(await rowOf(endpoint.id)).toMatchObject(gone), POLLING);
    await worker.stop();
    expect(secretBox.open((await rowOf(endpoint.id)).sealed_secret, `webhook:${endpoint.id}`)).toMatch(/^whsec_/);
  });

  test('is reported to the owners by mail, like a regenerated one, at most once an hour per user', async () => {
    const { db } = database();
    const merchantId = await createMerchant(database());
    const people = (['owner', 'staff'] as const).map((role) => {
      const email = `${role}-${merchantId}@shop.example`;
      return { id: newId('usr'), merchant_id: merchantId, email, role, password_hash: 'none' };
    });
    await db.insertInto('merchant_user').values(people).execute();
    const { endpoint } = await create({ merchantId });
    const mails = () => db.selectFrom('mail').selectAll().where('merchant_id', '=', merchantId).execute();
    const by = (who: string, now: number) =>
      db.transaction().execute((trx) => {
        return rotateSecret({ trx, who, now }, secretBox, { merchantId, endpointId: endpoint.id });
      });
    expect(await mails()).toEqual([]);
    await rotate(merchantId, endpoint.id);
    await rotate(merchantId, endpoint.id);
    await regenerate(merchantId, endpoint.id);
    expect(await mails()).toMatchObject([
      {
        recipient: people[0]?.email,
        subject: 'The webhook secret of shop.example was changed',
        text: expect.stringMatching(new RegExp(`${endpoint.id}[^]*a test`)),
      },
    ]);
    await by('API key key_other', NOW);
    await by('a test', NOW + HOUR_MS);
    expect(await mails()).toHaveLength(3);
    expect(JSON.stringify(await mails())).not.toContain('whsec_');
  });

  test('accepts whole hours from 1 to 24, for an endpoint of the merchant', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    for (const hours of [0, 25, 1.5, -1, Number.NaN]) {
      await expect(rotate(merchantId, endpoint.id, hours)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'overlap_hours',
      });
    }
    const otherMerchantId = await createMerchant(database());
    await expect(rotate(otherMerchantId, endpoint.id)).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    expect((await rowOf(endpoint.id)).previous_sealed_secret).toBeNull();
    expect(secretBox.open((await rowOf(endpoint.id)).sealed_secret, `webhook:${endpoint.id}`)).toMatch(/^whsec_/);
  });
});

test('rule 61: the receiver kit accepts either secret during an overlap, and no third one', () => {
  assertProperty(
    fc.property(fc.constantFrom(...WEBHOOK_EVENT_TYPES), fc.boolean(), (event, isOverlap) => {
      const [fresh, old, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
      const body = sampleEventBody({ id: 'evt_1', event, mode: 'live', at: NOW, publicUrl: 'https://pay.example' });
      const signed = { webhookEventId: 'evt_1', event, mode: 'live', body } as const;
      const previousSecret = isOverlap ? old : null;
      const headers = webhookHeaders({
        ...signed,
        endpointId: 'whk_1',
        attempt: 1,
        at: NOW,
        secret: fresh,
        previousSecret,
      });
      const codes = [fresh, old, other].map((secret) => {
        try {
          verifyWebhook(body, headers, secret, { mode: 'live', now: () => NOW });
          return 'accepted';
        } catch (error) {
          return (error as { code: string }).code;
        }
      });
      expect(codes).toEqual(['accepted', isOverlap ? 'accepted' : 'SIGNATURE_WRONG', 'SIGNATURE_WRONG']);
    }),
  );
});
