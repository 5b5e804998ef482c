import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Html, html } from '../../http/checkout/index.ts';
import { type FullEmail, getStoredEmail, type ListedEmail, listStoredEmails } from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Demo } from './demo.ts';
import { startPageOf } from './start-page.ts';

/** One line of the inbox. */
type DemoEmailHead = Pick<ListedEmail, 'id' | 'recipient' | 'subject' | 'createdAt'>;

export type DemoEmail = DemoEmailHead & Pick<FullEmail, 'text' | 'html'>;

/**
 * Kept (unsent) emails to customers of a merchant, and no others: an email to a user is enough to
 * take over the account, and the inbox is public.
 */
export interface DemoInbox {
  /** Newest first, at most `SHOWN_EMAILS`. */
  list(merchantId: string): Promise<readonly DemoEmailHead[]>;
  /** Null when the merchant has no such email. The id comes from the URL and may be any text. */
  get(merchantId: string, id: string): Promise<DemoEmail | null>;
}

export const SHOWN_EMAILS = 50;

/**
 * Shows developers the emails that their demo merchant would have sent to customers, with working
 * links. Available only while the demo is open, so never on a service with real merchants.
 *
 * - GET /demo/inbox       the newest emails
 * - GET /demo/inbox/:id   one of them, as text and as HTML
 */
export function demoInbox(demo: Pick<Demo, 'merchantId'>, inbox: DemoInbox): FastifyPluginAsync {
  return async (app) => {
    app.get('/demo/inbox', { schema: { hide: true } }, async (_request, reply) => {
      const merchantId = await demo.merchantId();
      if (merchantId === null) return reply.callNotFound();
      const emails = await inbox.list(merchantId);
      return reply.headers(PAGE_HEADERS).send(startPageOf(TITLE, emailList(emails.slice(0, SHOWN_EMAILS)), STYLE));
    });

    app.get<{ Params: { id: string } }>('/demo/inbox/:id', { schema: { hide: true } }, async ({ params }, reply) => {
      const merchantId = await demo.merchantId();
      const email = merchantId === null ? null : await inbox.get(merchantId, params.id);
      if (email === null) return reply.callNotFound();
      return reply.headers(PAGE_HEADERS).send(startPageOf(email.subject, emailView(email), STYLE));
    });
  };
}

/** Kept emails to customers. Emails to users are excluded before the limit applies. */
export function demoEmailsOf(db: Kysely<Database>): DemoInbox {
  return {
    async list(merchantId) {
      const { emails } = await listStoredEmails(db, { merchantId, isToCustomer: true, limit: SHOWN_EMAILS });
      return emails;
    },
    async get(merchantId, id) {
      const email = await getStoredEmail(db, id);
      return email?.isToCustomer && email.merchantId === merchantId ? email : null;
    },
  };
}

// Helpers

const TITLE = 'Emails to customers of the demo shop';

/**
 * No scripts. The frame of an email inherits this policy, and its sandbox gives it an opaque
 * origin.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};

/**
 * Without scripts a frame cannot fit its content, so it gets the height of a typical email: the
 * button must be visible without scrolling.
 */
const STYLE = html`
ol { list-style: none; margin: 1.5rem 0 0; padding: 0 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem }
li { padding: .875rem 0; overflow-wrap: anywhere } li + li { border-top: 1px solid var(--line) } li a { display: block; font-weight: 600 }
small { color: var(--soft) } h1 { overflow-wrap: anywhere } h2 { margin: 1.5rem 0 .5rem } dl { margin-top: .75rem }
dd { font: inherit } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; background: var(--surface); border: 1px solid var(--line) }
iframe { width: 100%; height: 48rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff; color-scheme: light }
@media (max-width: 30rem) { iframe { height: 66rem } }
`;

function emailList(emails: readonly DemoEmailHead[]): Html {
  const items = emails.map(
    ({ id, recipient, subject, createdAt }) =>
      html`<li><a href="inbox/${encodeURIComponent(id)}">${subject}</a><small>To ${recipient}, ${moment(createdAt)}</small></li>`,
  );
  return html`<h1>${TITLE}</h1>
<p class="lead">They are kept here and not sent. Their links work.</p>
${items.length === 0 ? NO_EMAIL : html`<ol>${items}</ol>`}
<p class="more"><a href="../">Start page</a></p>`;
}

const NO_EMAIL = html`<p>No emails yet. Create one with <code>POST /v1/recurring/create</code> and the test key of the demo shop.</p>`;

function emailView({ recipient, subject, createdAt, text, html: markup }: DemoEmail): Html {
  return html`<p><a href="../inbox">All emails</a></p>
<h1>${subject}</h1>
<dl><dt>To</dt><dd>${recipient}</dd><dt>Written</dt><dd>${moment(createdAt)}</dd></dl>
<h2>As text</h2>
<pre>${linked(text)}</pre>
<h2>As HTML</h2>
<iframe title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${OPEN_OUTSIDE}${markup}"></iframe>`;
}

/** Links in the email open a new page, because the frame may not load anything. */
const OPEN_OUTSIDE = '<base target="_blank">';

/** Plain text with its URLs as links; a full stop after a URL belongs to the sentence. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" rel="noopener noreferrer">${part}</a>` : html`${part}`,
    );
}

export function moment(at: UnixMs): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
