import cookie from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isCryptoSymbol } from '../../../../machines/index.ts';
import {
  findOffer,
  findVisitorPayment,
  type HostedPaymentDeps,
  type LinkOffer,
  type OfferDeps,
  openLinkPayment,
  RejectedLinkError,
} from '../../../links/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { beginErrorReply, createCustomerCookie, requireOwnForm } from '../../plugins/index.ts';
import type { LanguageRequest } from '../languages/choose-language.ts';
import { formOf, langOf, localeOf, sendPage, setUpPages } from '../page-scope.ts';
import { payProblemPage } from '../pages/pay-problem.ts';
import { linkPage } from './page.ts';
import { sendLinkProblem } from './problems.ts';
import { rejectedLinkPage } from './rejected-page.ts';

interface OfCode {
  Params: { code: string };
}

export interface LinkPageOptions extends HostedPaymentDeps, OfferDeps {
  readonly overview: OfferDeps['overview'];
  /** Whether PUBLIC_URL is https, which makes the cookie https-only. */
  readonly isHttps: boolean;
}

/**
 * Pages behind the short addresses of payment links, to be registered at the root. The code is the
 * permission to open a payment, and nothing else is shown of the merchant's account.
 *
 * - GET  /l/:code   what is bought and the coins to choose from; changes nothing
 * - POST /l/:code   opens a payment and leads to its page
 *
 * The language is that of `?lang=`, or else the one the browser prefers. The form is accepted only
 * from the page itself, where browsers report that: another site could make its visitors open
 * payments until the link's limit is reached.
 */
export const linkRoutes: FastifyPluginAsync<LinkPageOptions> = async (app, deps) => {
  const customerCookie = createCustomerCookie(deps.isHttps);
  await app.register(cookie);
  app.removeAllContentTypeParsers();
  setUpPages(app, { formMaxBytes: FORM_MAX_BYTES });
  app.setErrorHandler((error, request, reply) => {
    const { problem, ...response } = sendLinkProblem(error, { isForm: request.method === 'POST' });
    const shown = payProblemPage({ ...problem, requestId: request.id, ...preferenceOf(request) });
    return sendPage(beginErrorReply(error, response, { request, reply }), shown, request);
  });

  app.get<OfCode>('/l/:code', async (request, reply) => {
    const offer = await find(request.params.code);
    const customer = customerCookie.known(request);
    const own = customer === null ? null : await findVisitorPayment(deps, offer.link, customer);
    const shown = own === null ? null : { ...own, url: `${own.url}${langOf(request)}` };
    const { rejection, link } = offer;
    if (rejection === null) {
      const page = linkPage({ offer, own: shown, amount: amountIn(request) }, localeOf(request));
      return sendPage(reply, page, request);
    }
    const page = rejectedLinkPage({
      rejection,
      link,
      shop: offer,
      own: shown,
      offersLanguages: true,
      ...preferenceOf(request),
    });
    return sendPage(reply.code(STATUSES[rejection]), page, request);
  });

  app.post<OfCode>('/l/:code', async (request, reply) => {
    requireOwnForm(request);
    const { link } = await find(request.params.code);
    const form = formOf(request);
    const crypto = form.get('crypto');
    if (!isCryptoSymbol(crypto)) throw new TerminalError('INVALID_CRYPTO', 'Choose one of the coins offered');
    const customer = customerCookie.read(request);
    const visitor = { customer, clientAddress: request.ip };
    let page: string;
    try {
      page = await openLinkPayment(deps, visitor, link, { crypto, amount: form.get('amount') ?? '' });
    } catch (error) {
      // The page of the link says why, and whether this customer has a payment of it.
      if (error instanceof RejectedLinkError) return reply.redirect(`${link.code}${langOf(request)}`, 303);
      throw error;
    }
    customerCookie.write(reply, customer);
    return reply.redirect(`${page}${langOf(request)}`, 303);
  });

  async function find(code: string): Promise<LinkOffer> {
    const offer = await findOffer(deps, code);
    if (offer === null) throw new TerminalError('NOT_FOUND', 'No payment link has this address');
    return offer;
  }
};

// Helpers

const STATUSES = { paid: 409, being_paid: 409, expired: 410, closed: 410 } as const;

function preferenceOf({ query, headers }: FastifyRequest): LanguageRequest {
  const { lang } = query as { lang?: unknown };
  return { lang, acceptLanguage: headers['accept-language'] };
}

/** The amount that the address proposes where the customer chooses it. */
function amountIn({ query }: FastifyRequest): string {
  const { amount } = query as { amount?: unknown };
  return typeof amount === 'string' && AMOUNT.test(amount) ? amount : '';
}

const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/;

/** The form has two short fields. */
const FORM_MAX_BYTES = 4 * 1024;
