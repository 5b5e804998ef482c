import type { FastifyPluginAsync } from 'fastify';
import { type CryptoSymbol, isCryptoSymbol } from '../../../../machines/index.ts';
import { messageOf, TerminalError } from '../../../platform/errors.ts';
import type { CustomerRequests } from '../../../recurring/index.ts';
import { beginErrorReply } from '../../plugins/index.ts';
import { formOf, langOf, localeOf, sendPage, setUpPages } from '../page-scope.ts';
import { confirmPage } from './confirm-page.ts';
import { paymentPath, payPage } from './pay-page.ts';
import { noSuchLink, sendRecurringProblem } from './problems.ts';
import { stopPage } from './stop-page.ts';

export interface RecurringOptions {
  readonly requests: CustomerRequests;
}

interface OfToken {
  Params: { token: string };
}

/**
 * Pages behind the links in recurring emails, to be registered at the root. GET changes nothing,
 * because mail scanners open every link; POST acts, and may be repeated.
 *
 * - GET, POST /recurring/confirm/:token   agree to the requests
 * - GET, POST /recurring/stop/:token      end them; POST is also the target of one-click
 *   unsubscribe (RFC 8058)
 * - GET, POST /recurring/pay/:token       the stable link of one period
 *
 * The language is that of `?lang=`, or else the one the browser prefers.
 *
 * The forms need no CSRF token: they rely on no cookie or other authority that a browser adds
 * automatically. The link is the permission, and only someone who knows it can send such a form.
 */
export const recurringRoutes: FastifyPluginAsync<RecurringOptions> = async (app, { requests }) => {
  app.removeAllContentTypeParsers();
  setUpPages(app, { formMaxBytes: FORM_MAX_BYTES });
  app.setErrorHandler((error, request, reply) => {
    const response = sendRecurringProblem(error, {
      isForm: request.method === 'POST',
      locale: localeOf(request),
    });
    // The route pattern, not the URL: its token is a secret.
    const route = request.routeOptions.url;
    if (response.concernsShop)
      request.log.warn({ route, reason: codeOf(error) }, 'a recurring payment could not be opened');
    return sendPage(beginErrorReply(error, response, { request, reply }), response.page, request);
  });
  // One-click bodies may be multipart/form-data (RFC 8058, 3.2). They are always
  // the same and are ignored.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_MAX_BYTES }, (_request, _body, done) =>
    done(null, null),
  );

  app.get<OfToken>('/recurring/confirm/:token', async (request, reply) => {
    const schedule = found(await requests.find('confirm', tokenOf(request.params)));
    return sendPage(reply, confirmPage(schedule, localeOf(request)), request);
  });
  app.post<OfToken>('/recurring/confirm/:token', async (request, reply) => {
    const token = tokenOf(request.params);
    found(await requests.decide('confirm', token));
    return reply.redirect(`${token}${langOf(request)}`, 303);
  });

  app.get<OfToken>('/recurring/stop/:token', async (request, reply) => {
    const schedule = found(await requests.find('stop', tokenOf(request.params)));
    return sendPage(reply, stopPage(schedule, localeOf(request)), request);
  });
  // No redirect: mail providers do not follow one after a one-click POST
  // (RFC 8058, 3.1 forbids it).
  app.post<OfToken>('/recurring/stop/:token', async (request, reply) => {
    const schedule = found(await requests.decide('stop', tokenOf(request.params)));
    return sendPage(reply, stopPage(schedule, localeOf(request)), request);
  });

  app.get<OfToken>('/recurring/pay/:token', async (request, reply) => {
    const period = found(await requests.findPeriod(tokenOf(request.params)));
    return sendPage(reply, payPage(period, { locale: localeOf(request), lang: langOf(request) }), request);
  });
  app.post<OfToken>('/recurring/pay/:token', async (request, reply) => {
    const transactionId = found(await requests.openPeriod(tokenOf(request.params), coinOf(formOf(request))));
    return reply.redirect(paymentPath(transactionId, langOf(request)), 303);
  });
};

// Helpers

/** One field is enough; mail providers may add some. */
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

function coinOf(form: URLSearchParams): CryptoSymbol {
  const crypto = form.get('crypto');
  if (!isCryptoSymbol(crypto)) throw new TerminalError('INVALID_CRYPTO', 'crypto must be one of the coins offered');
  return crypto;
}

function codeOf(error: unknown): string {
  return error instanceof TerminalError ? error.code : messageOf(error);
}
