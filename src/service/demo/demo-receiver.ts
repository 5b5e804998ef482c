import type { FastifyPluginAsync } from 'fastify';
import { type Html, html } from '../../http/checkout/index.ts';
import type { Demo } from './demo.ts';
import { moment, PAGE_HEADERS } from './demo-inbox.ts';
import { RECEIVER_PATH } from './demo-webhooks.ts';
import type { ReceivedWebhook, ReceivedWebhooks } from './received-webhooks.ts';
import { startPageOf } from './start-page.ts';

/**
 * A receiver for webhooks of the demo shop, so that developers see what is sent and how it is
 * verified before they write a receiver. Available only while the demo is open. The body of a
 * request is kept in memory and never logged.
 *
 * - POST /demo/receiver   receives a webhook: 200 when it is verified, 400 otherwise
 * - GET /demo/receiver    the newest ones
 */
export function demoReceiver(
  demo: Pick<Demo, 'merchantId' | 'receiverUrl'>,
  webhooks: ReceivedWebhooks,
): FastifyPluginAsync {
  return async (app) => {
    async function openMerchantId(): Promise<string | null> {
      return demo.receiverUrl === null ? null : demo.merchantId();
    }

    // Signatures are over the raw bytes, of any type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    app.get(RECEIVER_PATH, { schema: { hide: true } }, async (_request, reply) => {
      if ((await openMerchantId()) === null) return reply.callNotFound();
      return reply.headers(PAGE_HEADERS).send(startPageOf(TITLE, receivedList(webhooks.list()), STYLE));
    });

    const limited = { schema: { hide: true }, bodyLimit: MAX_BODY_BYTES };
    app.post<{ Body: Buffer | undefined }>(RECEIVER_PATH, limited, async (request, reply) => {
      const merchantId = await openMerchantId();
      if (merchantId === null) return reply.callNotFound();
      // Pages of other sites could push the webhooks out of the list; the service sends neither.
      if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
        return reply.code(403).send({ success: false });
      }
      const isVerified = await webhooks.receive(merchantId, request.body ?? Buffer.alloc(0), request.headers);
      return reply.code(isVerified ? 200 : 400).send({ success: isVerified });
    });
  };
}

// Helpers

/** More than any webhook of the service has; the kept ones are in memory. */
const MAX_BODY_BYTES = 256 * 1024;

const TITLE = 'Received webhooks';

const STYLE = html`
ol { list-style: none; margin: 1.5rem 0; padding: 0 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem }
li { padding: .875rem 0; overflow-wrap: anywhere } li + li { border-top: 1px solid var(--line) }
li p { display: flex; flex-wrap: wrap; gap: .125rem .75rem } small { color: var(--soft) } h2 { margin: 1.5rem 0 .5rem }
summary { cursor: pointer; width: fit-content } details pre { margin-top: .5rem } .bad { font-weight: 600 }
`;

function receivedList(received: readonly ReceivedWebhook[]): Html {
  return html`<h1>${TITLE}</h1>
<p class="lead">Webhooks that the demo shop sends to this address. The newest are shown, until the service stops.</p>
${received.length === 0 ? NOTHING : html`<ol>${received.map(receivedItem)}</ol>`}
<h2>The code that verifies them</h2>
<pre tabindex="0">${VERIFYING}</pre>
${received.length === 0 ? null : html`<p class="more"><a href="../">Start page</a></p>`}`;
}

const NOTHING = html`<p class="more">No webhooks yet. <a href="../">Make a test payment</a></p>`;

function receivedItem({ at, event, transactionId, body, problem }: ReceivedWebhook): Html {
  return html`<li><p><strong>${event ?? 'No event'}</strong> ${verdict(problem)}</p>
<p><small>${moment(at)}</small>${transactionId === null ? null : html` <small>Payment <code>${transactionId}</code></small>`}</p>
${problem === null ? null : html`<p>${problem}</p>`}
<details><summary>Body</summary><pre tabindex="0">${problem === null ? indented(body) : body.slice(0, MAX_SHOWN_CHARACTERS)}</pre></details></li>`;
}

function verdict(problem: string | null): Html {
  return problem === null ? html`<span>✓ Verified</span>` : html`<span class="bad">✗ Not verified</span>`;
}

/** Anyone may have sent the body: indented, nested brackets would grow without bound. */
const MAX_SHOWN_CHARACTERS = 4_000;

/** The body of a webhook of the service. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

/** The receiver of docs/merchants/client.md, without its server. */
const VERIFYING = `import { verifyWebhook, WebhookError } from 'quittance/client';

async function receive(request, response) {
  try {
    const rawBody = Buffer.concat(await request.toArray());
    const event = verifyWebhook(rawBody, request.headers, WEBHOOK_SECRET, { mode: 'test' });
    console.log(event.id, event.event); // Store it here, unless its id is already stored.
    response.writeHead(204).end();
  } catch (error) {
    // 400: not from the service, or not of this mode. 500: it is resent.
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}`;
