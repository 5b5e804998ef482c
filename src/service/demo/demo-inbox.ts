import type { FastifyPluginAsync } from 'fastify';
import type { UnixMs } from '../../../machines/index.ts';
import { type Html, html, markupOf } from '../../http/checkout/index.ts';
import type { Demo } from './demo.ts';

/** One line of the inbox. */
export interface DemoMailHead {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly createdAt: UnixMs;
}

export interface DemoMail extends DemoMailHead {
  readonly text: string;
  readonly html: string;
}

/**
 * Kept (unsent) mails to customers of a merchant, and no others: a mail to a user is enough to
 * take over the account, and the inbox is public.
 */
export interface DemoInbox {
  /** Newest first, at most `SHOWN_MAILS`. */
  list(merchantId: string): Promise<readonly DemoMailHead[]>;
  /** Null when the merchant has no such mail. The id comes from the URL and may be any text. */
  get(merchantId: string, id: string): Promise<DemoMail | null>;
}

export const SHOWN_MAILS = 50;

/**
 * Shows developers the mails that their demo merchant would have sent to customers, with working
 * links. Available only while the demo is open, so never on a service with real merchants.
 *
 * - GET /demo/inbox       the newest mails
 * - GET /demo/inbox/:id   one of them, as text and as HTML
 */
export function demoInbox(demo: Pick<Demo, 'merchantId'>, inbox: DemoInbox): FastifyPluginAsync {
  return async (app) => {
    app.get('/demo/inbox', { schema: { hide: true } }, async (_request, reply) => {
      const merchantId = await demo.merchantId();
      if (merchantId === null) return reply.callNotFound();
      const mails = await inbox.list(merchantId);
      return reply.headers(PAGE_HEADERS).send(page(TITLE, mailList(mails.slice(0, SHOWN_MAILS))));
    });

    app.get<{ Params: { id: string } }>('/demo/inbox/:id', { schema: { hide: true } }, async ({ params }, reply) => {
      const merchantId = await demo.merchantId();
      const mail = merchantId === null ? null : await inbox.get(merchantId, params.id);
      if (mail === null) return reply.callNotFound();
      return reply.headers(PAGE_HEADERS).send(page(mail.subject, mailView(mail)));
    });
  };
}

// Helpers

const TITLE = 'E-mails to customers of the demo shop';

/**
 * No scripts. The frame of a mail inherits this policy, and its sandbox gives it an opaque origin.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};

/**
 * Without scripts a frame cannot fit its content, so it gets the height of a typical mail: the
 * button must be visible without scrolling.
 */
const STYLE = html`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 } main { max-width: 44rem; margin: 0 auto; padding: 1rem }
h1, dd, li, pre { overflow-wrap: anywhere } h1 { font-size: 1.375rem; line-height: 1.25 } h2 { font-size: 1rem }
ol { list-style: none; padding: 0 } li { padding: .625rem 0; border-top: 1px solid #8886 }
li a { display: block; font-weight: 600 } small, dt { color: light-dark(#56635d, #a3b1aa) } dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem } dd { margin: 0 }
pre { white-space: pre-wrap; font: inherit; padding: 1rem; margin: 0; border: 1px solid #8886; border-radius: .5rem }
iframe { box-sizing: border-box; width: 100%; height: 48rem; border: 1px solid #8886; border-radius: .5rem; background: #fff; color-scheme: light }
:focus-visible { outline: 3px solid #35b98a; outline-offset: 2px }
@media (max-width: 30rem) { iframe { height: 66rem } }
@media (prefers-color-scheme: dark) { a { color: #7cc4aa } }
`;

function page(title: string, main: Html): string {
  return markupOf(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>
`);
}

function mailList(mails: readonly DemoMailHead[]): Html {
  const items = mails.map(
    ({ id, recipient, subject, createdAt }) =>
      html`<li><a href="inbox/${encodeURIComponent(id)}">${subject}</a><small>To ${recipient}, ${moment(createdAt)}</small></li>`,
  );
  return html`<p><a href="../">Start page</a></p>
<h1>${TITLE}</h1>
<p>They are kept here and not sent. Their links work.</p>
${items.length === 0 ? NO_MAIL : html`<ol>${items}</ol>`}`;
}

const NO_MAIL = html`<p>There is no mail yet. Make one by <code>POST /v1/recurring/create</code> with the test key of the demo shop.</p>`;

function mailView({ recipient, subject, createdAt, text, html: markup }: DemoMail): Html {
  return html`<p><a href="../inbox">All mails</a></p>
<h1>${subject}</h1>
<dl><dt>To</dt><dd>${recipient}</dd><dt>Written</dt><dd>${moment(createdAt)}</dd></dl>
<h2>As text</h2>
<pre>${linked(text)}</pre>
<h2>As HTML</h2>
<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${OPEN_OUTSIDE}${markup}"></iframe>`;
}

/** Links in the mail open a new page, because the frame may not load anything. */
const OPEN_OUTSIDE = '<base target="_blank">';

/** Plain text with its URLs as links; a full stop after a URL belongs to the sentence. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" rel="noopener noreferrer">${part}</a>` : html`${part}`,
    );
}

function moment(at: UnixMs): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
