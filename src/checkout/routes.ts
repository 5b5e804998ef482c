import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Clock } from '../clock.ts';
import { messageOf, TerminalError } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { PublicTransaction } from '../payments/index.ts';
import { findAsset } from './assets.ts';
import { createFollower } from './follow.ts';
import { CACHE_FOR_EVER, SECURITY_HEADERS } from './headers.ts';
import { createHub } from './hub.ts';
import { paymentPage, updateOf } from './pages/payment.ts';
import type { PublicTransactions } from './ports.ts';
import { answerProblem } from './problems.ts';
import { remainingMs } from './screen.ts';
import { readSimulateForm, SIMULATE_FORM_MAX_BYTES } from './simulate-request.ts';

export interface CheckoutOptions {
  readonly transactions: PublicTransactions;
  readonly clock: Clock;
  readonly log: Log;
}

interface OfTransaction {
  Params: { id: string };
}

/**
 * The hosted payment page, to be registered at the root. Knowing a transaction's id is the permission to see it, so
 * there is no other authentication, and nothing of the merchant's is on it.
 *
 * - GET  /transaction/:id            the page, complete without script
 * - GET  /transaction/:id/state      the changing part as JSON, with ETag
 * - GET  /transaction/:id/events     the same as server-sent events
 * - POST /transaction/:id/simulate   the buttons of a simulated test payment
 * - GET  /checkout/assets/:file      style, script and icon
 */
export const checkoutRoutes: FastifyPluginAsync<CheckoutOptions> = async (app, { transactions, clock, log }) => {
  const hub = createHub({ transactions, clock, log });
  const follower = createFollower({ hub, clock });

  async function find(id: string): Promise<PublicTransaction> {
    const transaction = isId('txn', id) ? await transactions.get(id) : null;
    if (transaction === null) throw new TerminalError('TRANSACTION_NOT_FOUND', 'No transaction has this id');
    return transaction;
  }

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
  app.addHook('preClose', () => follower.stop());
  app.setErrorHandler((error, request, reply) => {
    const { id = null } = request.params as { id?: string };
    const answer = answerProblem(error, request.method === 'POST' ? id : null);
    if (answer.isBug) log.error({ err: error, route: request.routeOptions.url }, 'a payment page could not be shown');
    if (answer.status === 503) log.debug({ reason: messageOf(error) }, 'a payment page could not be shown');
    if (answer.retryAfter !== null) reply.header('retry-after', answer.retryAfter);
    return sendPage(reply.code(answer.status), answer.page);
  });
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: SIMULATE_FORM_MAX_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );

  app.get<OfTransaction>('/transaction/:id', async ({ params }, reply) => {
    const transaction = await find(params.id);
    return sendPage(reply, paymentPage(transaction, clock.now()));
  });

  app.get<OfTransaction>('/transaction/:id/state', async ({ params, headers }, reply) => {
    const update = updateOf(await find(params.id), clock.now());
    const tag = `"${update.version}"`;
    reply.header('etag', tag);
    if (headers['if-none-match'] === tag) return reply.code(304).send();
    return update;
  });

  app.get<OfTransaction & { Querystring: { have?: unknown } }>(
    '/transaction/:id/events',
    { exposeHeadRoute: false },
    async ({ params, query, headers }, reply) => {
      // A browser that connects again knows better than the address it was opened with.
      const have = headers['last-event-id'] ?? query.have;
      return follower.follow(reply, await find(params.id), typeof have === 'string' ? have : null);
    },
  );

  app.post<OfTransaction>('/transaction/:id/simulate', async ({ params, body }, reply) => {
    const transaction = await find(params.id);
    await transactions.simulate(params.id, readSimulateForm(body, remainingMs(transaction, clock.now())));
    return reply.redirect(`../${params.id}`, 303);
  });

  app.get<{ Params: { file: string } }>('/checkout/assets/:file', async ({ params }, reply) => {
    const found = findAsset(params.file);
    if (found === null) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file\n');
    if (found.isCurrent) reply.header('cache-control', CACHE_FOR_EVER);
    return reply.type(found.asset.contentType).send(found.asset.content);
  });
};

// Helpers

const FORM = 'application/x-www-form-urlencoded';

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}
