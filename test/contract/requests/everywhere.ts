import { sendRequest } from '../harness.ts';
import { ALL_ENDPOINTS, type EndpointName } from '../tables/endpoints.ts';
import { type Provocation, provocationsOf, twice } from './provocation.ts';

const NAMES = Object.keys(ALL_ENDPOINTS) as EndpointName[];

/** What applies to every endpoint behind a secret key. */
const BEHIND_A_KEY = NAMES.filter((name) => ALL_ENDPOINTS[name].access === 'secret key').flatMap((name) => {
  const { fails } = provocationsOf(name);
  return [
    fails(401, 'UNAUTHORIZED', 'no key', ({ app }) => sendRequest(app, name, {})),
    fails(401, 'UNAUTHORIZED', 'an unknown key', ({ app }) => sendRequest(app, name, { key: 'sk_live_unknown' })),
    fails(403, 'USE_PAY_ENDPOINT', 'a publishable key', async ({ app, newMerchant }) =>
      sendRequest(app, name, { key: (await newMerchant()).keys.pk_live }),
    ),
    fails(429, 'RATE_LIMIT_EXCEEDED', 'a second request of a key that has one', async ({ strict, newMerchant }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      return twice(() => sendRequest(strict, name, { key }));
    }),
    fails(500, 'UPSTREAM_ERROR', 'a service that is starting', async ({ starting, newMerchant }) =>
      sendRequest(starting, name, { key: (await newMerchant()).keys.sk_test }),
    ),
  ];
});

const health = provocationsOf('getHealth');

export const REQUESTS_OF_EVERY_KIND: readonly Provocation[] = [
  ...BEHIND_A_KEY,
  health.responds(200, 'a service that is well', ({ app }) => sendRequest(app, 'getHealth', {})),
  health.responds(503, 'a database that does not answer', ({ starting }) => sendRequest(starting, 'getHealth', {})),
  health.fails(429, 'RATE_LIMIT_EXCEEDED', 'an address that asks too often', ({ strict, newAddress }) => {
    const from = newAddress();
    return twice(() => sendRequest(strict, 'getHealth', { from }));
  }),
  ...([null, 'sk_live_unknown'].map((key) => ({
    endpoint: null,
    status: 404,
    code: 'NOT_FOUND',
    what: `a path there is not, with the key ${key}`,
    send: ({ app }) => app.call({ path: '/nowhere', key }),
  })) satisfies Provocation[]),
];
