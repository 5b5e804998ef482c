import { expect, test } from 'vitest';
import type { KeyInfo, KeyList, ShownKey } from '../../../../src/http/console/merchant/keys/schemas.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const DAY_MS = 86_400_000;
/** The shop's address. Other test files of this worker call the service from loopback. */
const ADDRESS = '198.51.100.7';

describeConsole('the API keys of a merchant in the console', {}, (console) => {
  async function list(who: Who = 'owner'): Promise<KeyList> {
    return (await console.call(who, { path: '/merchant/keys' })).data;
  }
  async function create(body: object = {}): Promise<ShownKey> {
    const response = await console.call('owner', {
      method: 'POST',
      path: '/merchant/keys',
      body: { kind: 'secret', mode: 'test', ...body },
    });
    expect(response.status).toBe(201);
    return response.data;
  }
  async function keyOf(id: string): Promise<KeyInfo | undefined> {
    const { keys, ended } = await list();
    return [...keys, ...ended].find((key) => key.id === id);
  }
  /** The status of the merchant REST API for a key. */
  async function statusWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': ADDRESS };
    return (await fetch(`${console.url}/v1/account`, { headers })).status;
  }
  function act(id: string, verb: string, body?: object, who: Who = 'owner') {
    const method = verb === '' ? 'PATCH' : 'POST';
    return console.call(who, { method, path: `/merchant/keys/${id}${verb}`, ...(body === undefined ? {} : { body }) });
  }

  test('are listed for owners and staff, and never the secrets themselves', async () => {
    const asOwner = await console.call('owner', { path: '/merchant/keys' });
    expect(asOwner.data.keys).toHaveLength(4);
    expect(await list('staff')).toEqual(asOwner.data);
    for (const key of Object.values(console.keys)) {
      expect(asOwner.text).not.toContain(key);
      expect(asOwner.data.keys.map(({ hint }: KeyInfo) => hint)).toContain(key.slice(-4));
    }
    expect(asOwner.data).toMatchObject({ canTieToAddresses: true, maxOverlapMs: 30 * DAY_MS, ended: [] });
  });

  test('are shown once, are valid immediately, and stop working when revoked', async () => {
    const response = await console.call('owner', {
      method: 'POST',
      path: '/merchant/keys',
      body: { kind: 'secret', mode: 'test', name: 'the shop', oneOpenPaymentPerIp: true },
    });
    const { id, key }: ShownKey = response.data;
    expect(key).toMatch(/^sk_test_/);
    expect(await keyOf(id)).toMatchObject({
      kind: 'secret',
      mode: 'test',
      name: 'the shop',
      hint: key.slice(-4),
      oneOpenPaymentPerIp: true,
      works: true,
    });
    expect(await statusWith(key)).toBe(200);
    const revoked = await act(id, '/revoke');
    expect([revoked.status, revoked.data.id]).toEqual([200, id]);
    expect(await statusWith(key)).toBe(401);
    expect(await keyOf(id)).toMatchObject({ works: false, endsAt: revoked.data.endedAt });
    expect((await act(id, '/revoke')).data).toEqual(revoked.data);
    expect(await act(id, '/rotate', { overlapMs: 0 })).toMatchObject({ status: 409, error: 'KEY_REVOKED' });
    expect(JSON.stringify(console.logLines())).not.toContain(key);
  });

  test('can be renamed and restricted to addresses, all or nothing', async () => {
    const { id, key } = await create();
    expect((await act(id, '', { name: 'the shop', allowedCidrs: ['203.0.113.7', '2001:db8::/48'] })).data).toEqual({
      id,
    });
    expect(await keyOf(id)).toMatchObject({ name: 'the shop', allowedCidrs: ['203.0.113.7/32', '2001:db8::/48'] });
    expect(await statusWith(key)).toBe(403);
    const half = await act(id, '', { name: 'half', allowedCidrs: ['203.0.113.0/33'] });
    expect([half.status, half.error]).toEqual([400, 'INVALID_CIDR']);
    expect(await keyOf(id)).toMatchObject({ name: 'the shop' });
    await act(id, '', { name: '', oneOpenPaymentPerIp: true, allowedCidrs: [] });
    expect(await keyOf(id)).toMatchObject({ name: '', oneOpenPaymentPerIp: true, allowedCidrs: [] });
    expect(await statusWith(key)).toBe(200);
    const publishable = await create({ kind: 'publishable' });
    expect(await act(publishable.id, '', { allowedCidrs: ['203.0.113.7'] })).toMatchObject({
      status: 409,
      error: 'KEY_NOT_SECRET',
    });
  });

  test('are restricted to addresses in plans that include it', async () => {
    const { merchantId } = console.neighbour;
    await console.db.updateTable('merchant').set({ plan: 'starter' }).where('id', '=', merchantId).execute();
    const { keys, canTieToAddresses } = await list('neighbour');
    const secret = keys.find(({ kind }) => kind === 'secret');
    const response = await act(secret?.id ?? '', '', { allowedCidrs: ['203.0.113.7'] }, 'neighbour');
    expect([canTieToAddresses, response.status, response.error]).toEqual([false, 403, 'PLAN_UPGRADE_REQUIRED']);
  });

  test('reject invalid input with the field and the remedy, and nothing is created', async () => {
    const before = await list();
    const { id } = before.keys[0] ?? { id: '' };
    const bodies: [string, object, RegExp][] = [
      ['', { kind: 'private', mode: 'live' }, /kind must be one of secret, publishable/],
      ['', { kind: 'secret' }, /mode must be one of live, test/],
      ['', { kind: 'secret', mode: 'live', name: 7 }, /name must be text/],
      ['', { kind: 'secret', mode: 'live', name: 'x'.repeat(101) }, /at most 100 characters/],
      ['', { kind: 'secret', mode: 'live', owner: 'me' }, /"owner" is unknown/],
      [`/${id}/rotate`, {}, /overlapMs must be a whole number/],
      [`/${id}/rotate`, { overlapMs: 31 * DAY_MS }, /0 to 30 days/],
    ];
    for (const [path, body, saying] of bodies) {
      const response = await console.call('owner', { method: 'POST', path: `/merchant/keys${path}`, body });
      expect([response.status, response.message]).toEqual([400, expect.stringMatching(saying)]);
    }
    expect(await act(id, '', {})).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    expect(await list()).toEqual(before);
  });
});
