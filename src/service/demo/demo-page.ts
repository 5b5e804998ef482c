import type { FastifyPluginAsync } from 'fastify';
import type { Demo } from './demo.ts';
import { frontPage } from './demo-front.ts';

/**
 * The front page. While the demo is open it offers a test payment, in a plain form that works
 * without scripts, and shows the logins and the test key at the address that the terminal shows.
 * While there are no users, it says how to create the first one.
 */
export function demoPage(demo: Demo, isSetupOpen: () => Promise<boolean>): FastifyPluginAsync {
  return async (app) => {
    async function render(mayShowSecrets: boolean): Promise<string> {
      if ((await demo.merchantId()) === null) return frontPage((await isSetupOpen()) ? 'setup' : 'running');
      const { publicUrl, receiverUrl } = demo;
      const secrets = mayShowSecrets ? await demo.secrets() : null;
      return frontPage({ secrets, publicUrl, hasReceiver: receiverUrl !== null });
    }

    app.addContentTypeParser('application/x-www-form-urlencoded', { bodyLimit: 1_024 }, (_request, payload, done) => {
      payload.resume();
      payload.on('end', () => done(null, {}));
    });

    app.get<{ Querystring: { show?: unknown } }>('/', { schema: { hide: true } }, async ({ query }, reply) => {
      return reply.headers(PAGE_HEADERS).send(await render(demo.mayShowSecrets(query.show)));
    });

    app.post('/demo/payment', { schema: { hide: true } }, async (_request, reply) => {
      const url = await demo.pay();
      return reply.redirect(url ?? '/', 303);
    });
  };
}

// Helpers

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
