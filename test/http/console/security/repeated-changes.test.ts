import { beforeAll, expect, test } from 'vitest';
import type { ConsoleRequest, ConsoleResponse, TestConsole } from '../support/console.ts';
import { MAIL_SERVER } from '../support/console-service.ts';
import { describeConsole } from '../support/describe-console.ts';
import { WALLETS } from './resources.ts';

/** Ids that the requests of one test name. */
interface Targets {
  readonly key: string;
  readonly endpoint: string;
  readonly staff: string;
}

interface RepeatedChange {
  /** Subject of the email. */
  readonly subject: RegExp;
  /** Makes sure that the first request changes something. */
  readonly prepare?: (targets: Targets) => ConsoleRequest;
  readonly request: (targets: Targets) => ConsoleRequest;
  /** The second request, where it differs. */
  readonly repeat?: (targets: Targets) => ConsoleRequest;
  /** Sent with a live API key instead of as the owner. */
  readonly withKey?: true;
}

const CHANGES: Readonly<Record<string, RepeatedChange>> = {
  'restricting a key': {
    subject: /allowed IP addresses of an API key/,
    request: ({ key }) => change(`/merchant/keys/${key}`, { allowedCidrs: ['203.0.113.7'] }),
    repeat: ({ key }) => change(`/merchant/keys/${key}`, { allowedCidrs: ['203.0.113.7/32', '203.0.113.7'] }),
  },
  'revoking a key': {
    subject: /API key was revoked/,
    request: ({ key }) => ({ method: 'POST', path: `/merchant/keys/${key}/revoke` }),
  },
  'replacing a key': {
    subject: /API key was replaced/,
    request: ({ key }) => ({ method: 'POST', path: `/merchant/keys/${key}/rotate`, body: { overlapMs: 60_000 } }),
  },
  'changing an endpoint': {
    subject: /^A webhook endpoint was changed/,
    request: ({ endpoint }) => change(`/merchant/webhooks/${endpoint}`, { description: 'bookkeeping', enabled: false }),
  },
  'deleting an endpoint': {
    subject: /^A webhook endpoint was deleted/,
    request: ({ endpoint }) => ({ method: 'DELETE', path: `/merchant/webhooks/${endpoint}` }),
  },
  'changing an endpoint with a key': {
    subject: /^The webhook endpoint at .* was changed/,
    request: ({ endpoint }) => change(`/webhooks/endpoints/${endpoint}`, { enabled: false }),
    withKey: true,
  },
  'deleting an endpoint with a key': {
    subject: /^The webhook endpoint at .* was deleted/,
    request: ({ endpoint }) => ({ method: 'DELETE', path: `/webhooks/endpoints/${endpoint}` }),
    withKey: true,
  },
  'accepting less': {
    subject: /lower requirements/,
    request: () => settings({ toleranceBasisPoints: 400 }, { toleranceBasisPoints: 50 }),
    repeat: () => settings({ toleranceBasisPoints: 400 }, { toleranceBasisPoints: 400 }),
  },
  'changing the support contact': {
    subject: /What customers see has changed/,
    request: () => settings({ supportContact: 'help@shop.example' }, { supportContact: null }),
    repeat: () => settings({ supportContact: ' help@shop.example ' }, { supportContact: 'help@shop.example' }),
  },
  'adding a wallet': {
    subject: /^A wallet was added/,
    request: () => ({ method: 'POST', path: '/merchant/wallets', body: WALLET }),
  },
  'changing a role': {
    subject: /^A login was changed/,
    request: ({ staff }) => change(`/users/${staff}`, { role: 'owner' }),
  },
  'disabling a user': {
    subject: /^A login was changed/,
    request: ({ staff }) => change(`/users/${staff}`, { isDisabled: true }),
  },
  'enabling a user': {
    subject: /^A login was changed/,
    prepare: ({ staff }) => change(`/users/${staff}`, { isDisabled: true }),
    request: ({ staff }) => change(`/users/${staff}`, { isDisabled: false }),
  },
  'inviting a user': {
    subject: /^A user was invited/,
    request: () => ({ method: 'POST', path: '/users', body: { email: 'new@colleague.example', role: 'staff' } }),
  },
};

describeConsole('a change that is repeated', { env: MAIL_SERVER }, (console) => {
  let staff: string;
  beforeAll(async () => {
    const users = (await console.call('owner', { path: '/users' })).data;
    staff = users.find(({ email }: { email: string }) => email === console.users.staff.email).id;
  });
  const emails = async (subject: RegExp) => {
    const query = console.db.selectFrom('mail').select('subject').where('recipient', '=', console.users.owner.email);
    return (await query.execute()).filter((mail) => subject.test(mail.subject)).length;
  };

  test.each(Object.entries(CHANGES))('emails the owners once: %s', async (_, row) => {
    const { subject, prepare, request, repeat, withKey } = row;
    const targets: Targets = { ...(await addTargets(console)), staff };
    const send = async (one: ConsoleRequest): Promise<ConsoleResponse> =>
      withKey === true ? console.api({ ...one, key: 'sk_live' }) : console.call('owner', one);
    if (prepare !== undefined) await send(prepare(targets));
    const before = await emails(subject);
    const first = await send(request(targets));
    expect(first.status, first.text).toBeLessThan(300);
    expect(await emails(subject)).toBe(before + 1);
    for (let count = 0; count < 3; count += 1) {
      const { status, text } = await send((repeat ?? request)(targets));
      expect([200, 201, 404, 409], text).toContain(status);
    }
    expect(await emails(subject)).toBe(before + 1);
  });
});

// Helpers

/** Account 0 of the mnemonic in BIP84. */
const WALLET = {
  cryptos: ['BTC'],
  extendedPublicKey: WALLETS[0]?.extended_public_key,
  addressType: 'p2wpkh',
  firstAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  isMatching: true,
  replaces: false,
};

function change(path: string, body: unknown): ConsoleRequest {
  return { method: 'PATCH', path, body };
}

function settings(changes: object, seen: object): ConsoleRequest {
  return change('/merchant/settings', { changes, seen });
}

/** A new key and a new endpoint, instead of the last ones: a plan limits endpoints. */
async function addTargets(console: TestConsole): Promise<Omit<Targets, 'staff'>> {
  const post = async (path: string, body: object) => {
    const { status, data, text } = await console.call('owner', { method: 'POST', path, body });
    expect(status, text).toBe(201);
    return data.id;
  };
  await console.db.updateTable('webhook_endpoint').set({ deleted_at: new Date(), enabled: false }).execute();
  return {
    key: await post('/merchant/keys', { kind: 'secret', mode: 'test' }),
    endpoint: await post('/merchant/webhooks', { url: 'https://hooks.example.com/shop', modes: ['live'] }),
  };
}
