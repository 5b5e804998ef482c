import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../merchants/index.ts';
import type { CustomerView, CustomerViews } from '../../payments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type Body, beginErrorReply, compressPage, encodingFor } from '../plugins/index.ts';
import { findAsset } from './assets.ts';
import { CACHE_FOR_EVER } from './headers.ts';
import { createHub } from './live/hub.ts';
import { createUpdateStreams } from './live/update-streams.ts';
import { formOf, langOf, localeOf, setUpPages } from './page-scope.ts';
import { paymentPage, updateOf } from './pages/payment.ts';
import { receiptPage, takesReceiptAddress } from './pages/receipt.ts';
import { readSimulateForm } from './pages/simulate-form.ts';
import { sendProblemPage } from './problems.ts';
import { remainingMs } from './screen.ts';

export interface CheckoutOptions {
  readonly transactions: CustomerViews;
  readonly clock: Clock;
  readonly log: Log;
}

interface OfTransaction {
  Params: { id: string };
  Querystring: { lang?: unknown; have?: unknown };
}

/**
 * The hosted payment page, to be registered at the root. The transaction id is a capability: there
 * is no other authentication, and the page shows nothing about the merchant's account.
 *
 * - GET  /transaction/:id            the page, complete without script
 * - GET  /transaction/:id/state      the changing part as JSON, with ETag
 * - GET  /transaction/:id/events     the same as server-sent events
 * - POST /transaction/:id/simulate   the buttons of a simulated test payment
 * - GET  /transaction/:id/receipt    the field for the receipt's address, on its own page
 * - POST /transaction/:id/receipt    stores the address
 * - GET  /checkout/assets/:file      style, script and icon
 *
 * Except for the files, the language is that of `?lang=`, or else the one the browser prefers. The
 * forms need no CSRF token: only someone who knows the id can send them, and no cookie counts.
 */
export const checkoutRoutes: FastifyPluginAsync<CheckoutOptions> = async (app, { transactions, clock, log }) => {
  const hub = createHub({ transactions, clock, log });
  const follower = createUpdateStreams({ hub, clock });

  async function find(id: string): Promise<CustomerView> {
    const transaction = isId('txn', id) ? await transactions.get(id) : null;
    if (transaction === null) throw new TerminalError('TRANSACTION_NOT_FOUND', 'No transaction has this id');
    return transaction;
  }

  setUpPages(app, { formMaxBytes: FORM_MAX_BYTES });
  app.addHook('preClose', () => follower.stop());
  app.setErrorHandler((error, request, reply) => {
    const { id = null } = request.params as { id?: string };
    const isBelowPage = request.method === 'POST' || request.routeOptions.url === RECEIPT;
    const response = sendProblemPage(error, isBelowPage ? id : null, localeOf(request));
    return sendPage(beginErrorReply(error, response, { request, reply }), response.page, request);
  });

  app.get<OfTransaction>('/transaction/:id', async (request, reply) => {
    const transaction = await find(request.params.id);
    return sendPage(reply, paymentPage(transaction, clock.now(), localeOf(request)), request);
  });

  app.get<OfTransaction>('/transaction/:id/state', async (request, reply) => {
    const locale = localeOf(request);
    const update = updateOf(await find(request.params.id), clock.now(), locale);
    const tag = `"${update.version}.${locale.language}"`;
    reply.headers({ etag: tag, vary: 'accept-language' });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return update;
  });

  app.get<OfTransaction>('/transaction/:id/events', { exposeHeadRoute: false }, async (request, reply) => {
    const { params, query, headers } = request;
    // After a reconnect, `Last-Event-ID` is newer than the version in the URL.
    const have = headers['last-event-id'] ?? query.have;
    const client = networkOf(request.ip);
    const page = { have: typeof have === 'string' ? have : null, locale: localeOf(request), client };
    return follower.follow(reply, await find(params.id), page);
  });

  app.post<OfTransaction>(
    '/transaction/:id/simulate',
    { bodyLimit: SIMULATE_FORM_MAX_BYTES },
    async (request, reply) => {
      const { id } = request.params;
      const transaction = await find(id);
      await transactions.simulate(id, readSimulateForm(formOf(request), remainingMs(transaction, clock.now())));
      return backToPage(request, reply);
    },
  );

  app.get<OfTransaction>(RECEIPT, async (request, reply) => {
    const transaction = await find(request.params.id);
    if (!takesReceiptAddress(transaction, clock.now())) return backToPage(request, reply);
    return sendPage(reply, receiptPage(transaction, { wrong: null }, localeOf(request)), request);
  });

  app.post<OfTransaction>(RECEIPT, async (request, reply) => {
    const { id } = request.params;
    const transaction = await find(id);
    const email = formOf(request).get('email') ?? '';
    try {
      await transactions.giveReceiptAddress(id, email);
    } catch (error) {
      if (!(error instanceof TerminalError) || error.code !== 'INVALID_REQUEST') throw error;
      const page = receiptPage(transaction, { wrong: email }, localeOf(request));
      return sendPage(reply.code(400), page, request);
    }
    return backToPage(request, reply);
  });

  app.get<{ Params: { file: string } }>('/checkout/assets/:file', async ({ params, headers }, reply) => {
    const found = findAsset(params.file);
    if (found === null) return reply.code(404).type('text/plain; charset=utf-8').send('File not found\n');
    if (found.isCurrent) reply.header('cache-control', CACHE_FOR_EVER);
    reply.header('vary', 'accept-encoding').type(found.asset.contentType);
    return sendBody(reply, found.asset.body(encodingFor(headers['accept-encoding'])));
  });
};

// Helpers

const RECEIPT = '/transaction/:id/receipt';
/** An email address of 254 characters, percent-encoded. */
const FORM_MAX_BYTES = 800;
const SIMULATE_FORM_MAX_BYTES = 256;

/** From a path below the page, in the language of the request. */
function backToPage(request: FastifyRequest<OfTransaction>, reply: FastifyReply): FastifyReply {
  return reply.redirect(`../${request.params.id}${langOf(request)}`, 303);
}

async function sendPage(reply: FastifyReply, page: string, request: FastifyRequest): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').headers({
    'content-language': localeOf(request).language,
    vary: 'accept-language, accept-encoding',
  });
  return sendBody(reply, await compressPage(page, encodingFor(request.headers['accept-encoding'])));
}

function sendBody(reply: FastifyReply, { bytes, encoding }: Body): FastifyReply {
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}
