import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { type CryptoSymbol, isCryptoSymbol } from '../../../machines/index.ts';
import { messageOf, TerminalError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { SECURITY_HEADERS } from '../headers.ts';
import { confirmPage } from './confirm-page.ts';
import { paymentPath, payPage } from './pay-page.ts';
import type { CustomerRequests } from './ports.ts';
import { answerRecurringProblem, noSuchLink } from './problems.ts';
import { stopPage } from './stop-page.ts';

export interface RecurringOptions {
  readonly requests: CustomerRequests;
  readonly log: Log;
}

interface OfToken {
  Params: { token: string };
}

/**
 * The pages behind the links of recurring mails, to be registered at the root. GET changes nothing, because mail scanners
 * open every link they see; POST acts, and may be repeated.
 *
 * - GET, POST /recurring/confirm/:token   agree to the requests
 * - GET, POST /recurring/stop/:token      end them; POST is also the target of one-click unsubscribe (RFC 8058)
 * - GET, POST /recurring/pay/:token       the stable link of one period
 *
 * The forms need no token against cross-site requests: nothing here rests on a cookie or any other authority that a browser
 * adds by itself. Whoever can send such a form knows the link, and knowing it is the permission.
 */
export const recurringRoutes: FastifyPluginAsync<RecurringOptions> = async (app, { requests, log }) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = answerRecurringProblem(error, { isForm: request.method === 'POST' });
    // The pattern of the route, never the address: its token is a key.
    const route = request.routeOptions.url;
    if (answer.concerns === 'us') log.error({ err: error, route }, 'a page of a recurring request could not be shown');
    if (answer.concerns === 'shop')
      log.warn({ route, reason: codeOf(error) }, 'a recurring payment could not be opened');
    if (answer.status === 503) log.debug({ route, reason: messageOf(error) }, 'a recurring request has to wait');
    if (answer.retryAfter !== null) reply.header('retry-after', answer.retryAfter);
    return sendPage(reply.code(answer.status), answer.page);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_MAX_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  // One-click bodies may be multipart/form-data (RFC 8058, 3.2). What they say is the same every time, so nobody reads it.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_MAX_BYTES }, (_request, _body, done) =>
    done(null, null),
  );

  app.get<OfToken>('/recurring/confirm/:token', async ({ params }, reply) => {
    return sendPage(reply, confirmPage(found(await requests.find('confirm', tokenOf(params)))));
  });
  app.post<OfToken>('/recurring/confirm/:token', async ({ params }, reply) => {
    const token = tokenOf(params);
    found(await requests.confirm(token));
    return reply.redirect(token, 303);
  });

  app.get<OfToken>('/recurring/stop/:token', async ({ params }, reply) => {
    return sendPage(reply, stopPage(found(await requests.find('stop', tokenOf(params)))));
  });
  // Answered directly: mail providers do not follow redirects of a one-click POST (RFC 8058, 3.1 forbids them).
  app.post<OfToken>('/recurring/stop/:token', async ({ params }, reply) => {
    return sendPage(reply, stopPage(found(await requests.stop(tokenOf(params)))));
  });

  app.get<OfToken>('/recurring/pay/:token', async ({ params }, reply) => {
    return sendPage(reply, payPage(found(await requests.findPeriod(tokenOf(params)))));
  });
  app.post<OfToken>('/recurring/pay/:token', async ({ params, body }, reply) => {
    const transactionId = found(await requests.openPeriod(tokenOf(params), coinOf(body)));
    return reply.redirect(paymentPath(transactionId), 303);
  });
};

// Helpers

const FORM = 'application/x-www-form-urlencoded';
/** One field is all that is ever needed; mail providers may add a little. */
const FORM_MAX_BYTES = 16 * 1024;
const TOKEN = /^[0-9a-f]{32}$/;

function tokenOf({ token }: OfToken['Params']): string {
  if (!TOKEN.test(token)) throw noSuchLink();
  return token;
}

function found<T>(value: T | null): T {
  if (value === null) throw noSuchLink();
  return value;
}

function coinOf(body: unknown): CryptoSymbol {
  const crypto = body instanceof URLSearchParams ? body.get('crypto') : null;
  if (!isCryptoSymbol(crypto)) throw new TerminalError('INVALID_CRYPTO', 'crypto must be one of the coins offered');
  return crypto;
}

function codeOf(error: unknown): string {
  return error instanceof TerminalError ? error.code : messageOf(error);
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}
