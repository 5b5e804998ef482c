import type { FastifyPluginAsync } from 'fastify';
import type { Demo } from './demo.ts';

/**
 * The front page of a service without another one: while the demo is open it offers a test payment.
 * A plain form, so that it works without scripts.
 */
export function demoPage(demo: Demo): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', { bodyLimit: 1_024 }, (_request, payload, done) => {
      payload.resume();
      payload.on('end', () => done(null, {}));
    });

    app.get('/', { schema: { hide: true } }, async (_request, reply) => {
      return reply.headers(PAGE_HEADERS).send(page((await demo.merchantId()) !== null));
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

function page(hasDemo: boolean): string {
  const offer = hasDemo
    ? `<p>This is a fresh service with a demo shop and a simulated network. No real money can be sent.</p>
<form method="post" action="/demo/payment"><button>Make a test payment of 25 USD in LTC</button></form>
<p>Mails to its customers are kept in the <a href="/demo/inbox">demo inbox</a>.</p>`
    : '<p>The service is running. Payments are created through its API.</p>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Quittance</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; box-sizing: border-box }
main { max-width: 32rem } h1 { margin: 0 0 .5rem; font-size: 1.75rem }
button { font: inherit; font-weight: 600; padding: .75rem 1.25rem; border: 0; border-radius: .5rem; background: #1f6f54; color: #fff; cursor: pointer }
button:focus-visible { outline: 3px solid #7cc4aa; outline-offset: 2px }
</style></head><body><main><h1>Quittance</h1>
<p>Cryptocurrency payments straight into the merchant's own wallet.</p>
${offer}</main></body></html>`;
}
