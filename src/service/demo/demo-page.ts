import type { FastifyPluginAsync } from 'fastify';
import { type Html, html } from '../../http/checkout/index.ts';
import type { Demo, DemoSecrets } from './demo.ts';
import { startPageOf } from './start-page.ts';

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

/** What the front page of an open demo shows. */
interface DemoFront {
  /** Null for a visitor who may not see them. */
  readonly secrets: DemoSecrets | null;
  readonly publicUrl: string;
  /** Whether the demo receives its own webhooks. */
  readonly hasReceiver: boolean;
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

/** The front page of a service, with or without an open demo. No scripts; links are relative. */
function frontPage(shown: DemoFront | 'setup' | 'running'): string {
  return startPageOf('Quittance', shown === 'running' ? RUNNING : shown === 'setup' ? SETUP : openDemo(shown));
}

function openDemo({ secrets, publicUrl, hasReceiver }: DemoFront): Html {
  return html`<h1>Your payment service is running</h1>
<p class="lead">With a demo shop, test keys and a simulated network. No real money can be sent.</p>
<div class="ways">
<section><h2>Pay as a customer</h2>
<p>Opens a payment page for 25 USD in Litecoin. Play the customer there, and see it complete.</p>
<form method="post" action="demo/payment"><button>Make a test payment</button></form></section>
<section><h2>Open the merchant dashboard</h2>
<p>Payments, links, webhooks and statistics of the demo shop, in test mode.</p>
${secrets === null ? null : login(secrets.console.owner)}
<a class="button" href="console/test/overview">Open the dashboard</a></section>
<section><h2>Operate the service</h2>
<p>Each payment is a running statechart. See where each one is, and step through how it got there.</p>
${secrets === null ? null : login(secrets.console.operator)}
<a class="button" href="console/">Open the console</a></section>
</div>
${secrets === null ? IN_FILE : fromCode(secrets, publicUrl)}
<p class="more"><a href="docs">API reference</a> <a href="demo/inbox">Emails to customers</a>${hasReceiver ? RECEIVER : null}</p>`;
}

function login({ email, password }: DemoSecrets['console']['owner']): Html {
  return html`<dl><dt>Email</dt><dd>${email}</dd><dt>Password</dt><dd>${password}</dd></dl>`;
}

function fromCode({ sk_test: key }: DemoSecrets, publicUrl: string): Html {
  return html`<section class="code"><h2>From your code</h2>
<p>The secret test key of the demo shop creates a payment; the response has the <code>payment_url</code> for the customer.</p>
<pre tabindex="0">curl -s ${publicUrl}/v1/transactions/create \\
  -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\
  -d '{"crypto": "LTC", "amount": 25.50, "currency_fiat": "EUR"}'</pre>
<p class="soft">Shown only at the address that the service prints at startup.</p></section>`;
}

const RECEIVER = html` <a href="demo/receiver">Received webhooks</a>`;

const IN_FILE = html`<p>To see passwords and the test key here, open the address that the service prints at startup. They are also in
<code>demo-keys.json</code> in its data folder.</p>`;

const SETUP = html`<h1>Your payment service is running</h1>
<p class="lead">There are no users yet. At its start, the service printed an address to its log (<code>setupUrl</code>) and
terminal: open it to create the first operator.</p>
<p class="more"><a href="docs">API reference</a></p>`;

const RUNNING = html`<h1>Your payment service is running</h1>
<p class="lead">Payments are created through its API, or by payment links.</p>
<p class="more"><a class="button" href="console/">Sign in</a> <a href="docs">API reference</a></p>`;
