import { type Html, html, markupOf } from '../../http/checkout/index.ts';
import type { DemoSecrets } from './demo.ts';

/** What the front page of an open demo shows. */
export interface DemoFront {
  /** Null for a visitor who may not see them. */
  readonly secrets: DemoSecrets | null;
  readonly publicUrl: string;
}

/** The front page of a service, with or without an open demo. No scripts; links are relative. */
export function frontPage(shown: DemoFront | 'setup' | 'running'): string {
  return markupOf(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Quittance</title><style>${STYLE}</style></head>
<body><main>
<p class="brand">${LOGO} Quittance</p>
${shown === 'running' ? RUNNING : shown === 'setup' ? SETUP : openDemo(shown)}
</main></body></html>
`);
}

// Helpers

function openDemo({ secrets, publicUrl }: DemoFront): Html {
  return html`<h1>Your payment service is running</h1>
<p class="lead">With a demo shop, test keys and a simulated network. No real money can be sent.</p>
<div class="ways">
<section><h2>Pay as a customer</h2>
<p>Opens a payment page for 25 USD in Litecoin. Play the customer there, and see it complete.</p>
<form method="post" action="demo/payment"><button>Make a test payment</button></form></section>
<section><h2>Look at it as the shop</h2>
<p>Payments, links, webhooks and statistics of the demo shop, in test mode.</p>
${secrets === null ? null : login(secrets.console.owner)}
<a class="button" href="console/test/overview">Open the dashboard</a></section>
<section><h2>Operate the service</h2>
<p>Each payment is a running statechart. See where each one is, and step through how it got there.</p>
${secrets === null ? null : login(secrets.console.operator)}
<a class="button" href="console/">Open the console</a></section>
</div>
${secrets === null ? IN_FILE : fromCode(secrets, publicUrl)}
<p class="more"><a href="docs">API reference</a> <a href="demo/inbox">E-mails to customers</a></p>`;
}

function login({ email, password }: DemoSecrets['console']['owner']): Html {
  return html`<dl><dt>E-mail</dt><dd>${email}</dd><dt>Password</dt><dd>${password}</dd></dl>`;
}

function fromCode({ sk_test: key }: DemoSecrets, publicUrl: string): Html {
  return html`<section class="code"><h2>From your code</h2>
<p>The secret test key of the demo shop creates a payment; the answer has the <code>payment_url</code> for the customer.</p>
<pre tabindex="0">curl -s ${publicUrl}/v1/transactions/create \\
  -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\
  -d '{"crypto": "LTC", "amount": 25.50, "currency_fiat": "EUR"}'</pre>
<p class="soft">Shown only at the address that the service printed.</p></section>`;
}

const IN_FILE = html`<p>To see passwords and the test key here, open the address that the service printed at its start. They are also in
<code>demo-keys.json</code> in its data folder.</p>`;

const SETUP = html`<h1>Your payment service is running</h1>
<p class="lead">There are no users yet. At its start, the service printed an address to its log (<code>setupUrl</code>) and
terminal: open it to create the first operator.</p>
<p class="more"><a href="docs">API reference</a></p>`;

const RUNNING = html`<h1>Your payment service is running</h1>
<p class="lead">Payments are created through its API, or by payment links.</p>
<p class="more"><a class="button" href="console/">Sign in</a> <a href="docs">API reference</a></p>`;

const LOGO = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="m9 17 5 5 9.5-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The colours of the console (src/web/styles/tokens.css). */
const STYLE = html`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --ground: light-dark(#f4f6f5, #0d1210); --surface: light-dark(#fff, #151c19); --sunken: light-dark(#eef1f0, #101613);
  --line: light-dark(#dfe5e2, #28332e); --line-strong: light-dark(#84928b, #62736b); --text: light-dark(#16201c, #e6ece9);
  --soft: light-dark(#53615b, #9dada5); --accent: light-dark(#0b6e4f, #3fbf92); --on-accent: light-dark(#fff, #06150f) }
*, ::before { box-sizing: border-box } body { margin: 0; background: var(--ground); color: var(--text) }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1.25rem 3rem } h1, h2, p, dl, dd, pre { margin: 0 }
.brand { display: flex; align-items: center; gap: .625rem; font-weight: 650 }
h1 { margin-top: 2.5rem; font-size: clamp(1.5rem, 4vw, 2.125rem); line-height: 1.2; letter-spacing: -.015em }
h2 { font-size: 1.0625rem } .lead { margin-top: .5rem; color: var(--soft) } .soft { color: var(--soft); font-size: .875rem }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; margin: 2rem 0 1rem }
section { display: flex; flex-direction: column; align-items: flex-start; gap: .75rem; min-width: 0; padding: 1.25rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: .75rem }
section > p { color: var(--soft) } .ways form, .ways .button { margin-top: auto }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .5625rem 1rem; border-radius: .5rem;
  border: 1px solid var(--line-strong); background: none; color: var(--text); text-decoration: none; cursor: pointer }
button { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
dl { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; font-size: .875rem } dt { color: var(--soft) }
dd { overflow-wrap: anywhere; user-select: all } dd, pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .8125rem }
pre { width: 100%; overflow-x: auto; padding: 1rem; background: var(--sunken); border-radius: .5rem }
a { color: var(--accent) } .more { display: flex; flex-wrap: wrap; align-items: center; gap: 1.25rem; margin-top: 1.5rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
