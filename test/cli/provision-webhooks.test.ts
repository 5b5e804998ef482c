import { expect, test } from 'vitest';
import { createPaymentNetworks } from '../../src/payments/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { applyProvisioning, type CreatedSecrets } from '../../src/service/provisioning/apply.ts';
import { parseProvisioningFile } from '../../src/service/provisioning/file.ts';
import {
  changeEndpoint,
  DEFAULT_SUBSCRIPTION,
  deleteEndpoint,
  type EndpointChanges,
  listEndpoints,
} from '../../src/webhooks/index.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { PUBLIC_ONLY, TEST_KEY } from '../webhooks/harness.ts';

const secretBox = createSecretBox(TEST_KEY);
let merchants = 0;

describeDatabases('webhook endpoints in the provisioning file', (database) => {
  /** Applies the webhooks of one merchant, and returns the issued secrets. */
  async function apply(name: string, plan: string, webhooks: readonly object[], plansEnabled = true) {
    const email = `${name.replace(' ', '')}@shop.test`;
    const file = parseProvisioningFile({ merchants: [{ name, email, plan, webhooks }] }, 'the test');
    const issued: CreatedSecrets[] = [];
    const deps = {
      db: database().db,
      clock: createTestClock(),
      networks: createPaymentNetworks({ live: { kinds: {} }, test: 'simulated' }),
      endpoints: { secretBox, urls: PUBLIC_ONLY, plansEnabled },
    };
    await applyProvisioning(deps, file, async (created) => void issued.push(...created));
    return issued;
  }
  function newName(): string {
    merchants += 1;
    return `Shop no${merchants}`;
  }
  async function endpointsOf(name: string) {
    const { id } = await database()
      .db.selectFrom('merchant')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return (await listEndpoints(database().db, id)).sort((one, other) => one.url.localeCompare(other.url));
  }

  test('have the options in the file, and keep those that are left out', async () => {
    const name = newName();
    const url = 'https://shop.example/options';
    await apply(name, 'business', [{ url, disables_itself: true, disables_on_gone: true, max_per_second: 5 }]);
    const all = { disablesItself: true, disablesOnGone: true, maxPerSecond: 5 };
    expect(await endpointsOf(name)).toMatchObject([all]);
    await apply(name, 'business', [{ url }]);
    expect(await endpointsOf(name)).toMatchObject([all]);
    await apply(name, 'business', [{ url, disables_itself: false, max_per_second: null }]);
    expect(await endpointsOf(name)).toMatchObject([{ ...all, disablesItself: false, maxPerSecond: null }]);
    const other = newName();
    await apply(other, 'business', [{ url }]);
    const none = { disablesItself: false, disablesOnGone: false, maxPerSecond: null };
    expect(await endpointsOf(other)).toMatchObject([none]);
  });

  test.each([
    [{ max_per_second: 0 }, 'max_per_second: must be a whole number from 1 to 1000'],
    [{ max_per_second: 1.5 }, 'max_per_second: must be a whole number from 1 to 1000'],
    [{ disables_on_gone: 'yes' }, 'disables_on_gone: must be true or false'],
    [{ rate: 5 }, 'rate'],
  ])('are refused with options out of range: %j', async (options, message) => {
    const webhooks = [{ url: 'https://shop.example/wrong', ...options }];
    await expect(apply(newName(), 'business', webhooks)).rejects.toThrow(message);
  });

  test('are created as described, and their secrets are returned once', async () => {
    const name = newName();
    const webhooks = [
      {
        url: 'https://shop.example/a',
        events: ['payment.completed'],
        modes: ['live'],
        description: 'Web shop',
        enabled: false,
      },
      { url: 'https://shop.example/b' },
    ];
    const [created] = await apply(name, 'business', webhooks);
    const [first, second] = await endpointsOf(name);
    expect(first).toMatchObject({
      events: ['payment.completed'],
      modes: ['live'],
      description: 'Web shop',
      enabled: false,
    });
    expect(second).toMatchObject({
      events: DEFAULT_SUBSCRIPTION,
      modes: ['live', 'test'],
      description: '',
      enabled: true,
    });
    expect(created?.webhooks).toEqual([
      { id: first?.id, url: webhooks[0]?.url, secret: expect.stringMatching(/^whsec_/) },
      { id: second?.id, url: webhooks[1]?.url, secret: expect.stringMatching(/^whsec_/) },
    ]);
    const audit = () =>
      database().db.selectFrom('audit_entry').select('id').where('subject_id', 'like', 'whk%').execute();
    const before = await audit();
    expect(await apply(name, 'business', webhooks)).toEqual([]);
    expect(await endpointsOf(name)).toEqual([first, second]);
    expect(await audit()).toEqual(before);
  });

  test('keep their description and state when the file omits them, and follow it when it sets them', async () => {
    const name = newName();
    const url = 'https://shop.example/a';
    await apply(name, 'starter', [{ url, description: 'Web shop', enabled: false }]);
    await apply(name, 'starter', [{ url }]);
    expect(await endpointsOf(name)).toMatchObject([{ description: 'Web shop', enabled: false }]);
    await apply(name, 'starter', [{ url, description: 'Till', enabled: true }]);
    expect(await endpointsOf(name)).toMatchObject([{ description: 'Till', enabled: true, disabledBecause: null }]);
  });

  test('keep what was changed since the file was applied, until it says something else', async () => {
    const name = newName();
    const url = 'https://shop.example/a';
    const first = { url, events: ['payment.completed', 'payment.expired'], enabled: true, max_per_second: 5 };
    await apply(name, 'starter', [first]);
    const change = async (changes: EndpointChanges) => {
      const [endpoint] = await endpointsOf(name);
      if (endpoint === undefined) throw new Error('it was made');
      const { merchantId, id: endpointId } = endpoint;
      const terms = { urls: PUBLIC_ONLY, plansEnabled: true };
      await database()
        .db.transaction()
        .execute((trx) => changeEndpoint({ trx, who: 'a test', now: 0 }, terms, { merchantId, endpointId, changes }));
    };
    const changed = { events: ['payment.completed'], enabled: false, maxPerSecond: 9 };
    await change(changed);
    await apply(name, 'starter', [first]);
    expect(await endpointsOf(name)).toMatchObject([changed]);
    // Another field of the same endpoint changes nothing else.
    await apply(name, 'starter', [{ ...first, max_per_second: 7, description: 'Till' }]);
    expect(await endpointsOf(name)).toMatchObject([{ ...changed, maxPerSecond: 7, description: 'Till' }]);
    await apply(name, 'starter', [{ url, events: ['payment.failed'] }]);
    expect(await endpointsOf(name)).toMatchObject([{ events: ['payment.failed'], enabled: false, maxPerSecond: 7 }]);
    await change({ events: ['payment.completed'] });
    // Without events the subscription stays, and enabled is new again after it was left out.
    await apply(name, 'starter', [{ url, enabled: true }]);
    expect(await endpointsOf(name)).toMatchObject([{ events: ['payment.completed'], enabled: true }]);
  });

  test('stay the ones the file described when the merchant changes their URL', async () => {
    const name = newName();
    const first = { url: 'https://shop.example/a', max_per_second: 5 };
    // The plan allows one: a second one for the old URL would refuse the whole file.
    const [created] = await apply(name, 'starter', [first]);
    const [endpoint] = await endpointsOf(name);
    if (endpoint === undefined) throw new Error('it was made');
    const { merchantId, id: endpointId } = endpoint;
    const moved = { merchantId, endpointId, changes: { url: 'https://shop.example/moved' } };
    await database()
      .db.transaction()
      .execute((trx) =>
        changeEndpoint({ trx, who: 'a test', now: 0 }, { urls: PUBLIC_ONLY, plansEnabled: true }, moved),
      );
    expect(await apply(name, 'starter', [{ ...first, max_per_second: 6 }])).toEqual([]);
    const kept = { id: created?.webhooks[0]?.id, url: 'https://shop.example/moved', maxPerSecond: 6 };
    expect(await endpointsOf(name)).toMatchObject([kept]);
  });

  test('never exceed the plan limit, and nothing of such a file is applied', async () => {
    const name = newName();
    const webhooks = ['a', 'b'].map((path) => ({ url: `https://shop.example/${path}` }));
    await expect(apply(name, 'starter', webhooks)).rejects.toMatchObject({
      code: 'PROVISIONING_FILE',
      message: expect.stringMatching(/^\$\.merchants\[0\]\.webhooks\[1\]: The plan starter allows 1 webhook endpoint/),
    });
    expect(await database().db.selectFrom('merchant').select('id').where('name', '=', name).execute()).toEqual([]);
    expect((await apply(name, 'starter', webhooks, false))[0]?.webhooks).toHaveLength(2);
    // Existing endpoints stay when plans are enabled.
    expect(await apply(name, 'starter', webhooks)).toEqual([]);
    expect(await endpointsOf(name)).toHaveLength(2);
  });

  test('are created again when they were deleted and are still in the file', async () => {
    const name = newName();
    const [created] = await apply(name, 'starter', [{ url: 'https://shop.example/a' }]);
    const [endpoint] = await endpointsOf(name);
    if (endpoint === undefined) throw new Error('it was made');
    await database()
      .db.transaction()
      .execute((trx) =>
        deleteEndpoint({ trx, who: 'a test', now: 0 }, { merchantId: endpoint.merchantId, endpointId: endpoint.id }),
      );
    const [again] = await apply(name, 'starter', [{ url: 'https://shop.example/a' }]);
    expect(again?.webhooks[0]?.id).not.toBe(created?.webhooks[0]?.id);
    expect(again?.webhooks[0]?.secret).not.toBe(created?.webhooks[0]?.secret);
  });

  test.each([
    [{ description: 'x'.repeat(201) }, /webhooks\[0\]\.description: must have at most 200 characters/],
    [{ description: '' }, /webhooks\[0\]\.description: is required and must be a string/],
    [{ description: 'two\nlines' }, /webhooks\[0\]: description must have at most 200 characters and no control/],
    [{ enabled: 'no' }, /webhooks\[0\]\.enabled: must be true or false/],
    [{ secret: 'whsec_mine' }, /webhooks\[0\]\.secret: is not a known field/],
  ])('%j is rejected by its path', async (wrong, message) => {
    const webhook = { url: 'https://shop.example/a', ...wrong };
    const rejected = await apply(newName(), 'starter', [webhook]).catch((error: Error) => error);
    expect(rejected).toMatchObject({ code: 'PROVISIONING_FILE', message: expect.stringMatching(message) });
  });
});
