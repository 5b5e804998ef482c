import cookie from '@fastify/cookie';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, FastifySchemaValidationError as ValidationDetail } from 'fastify';
import type { Static } from 'typebox';
import { FIAT_CURRENCIES, isCryptoSymbol } from '../../../../machines/index.ts';
import {
  findPriceOffer,
  type HostedPaymentDeps,
  type OfferDeps,
  openHostedPayment,
  RejectedLinkError,
  requireLink,
  shortAddress,
} from '../../../links/index.ts';
import type { Authenticator, KeyHolder } from '../../../merchants/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { bindRequestContext } from '../../../platform/request-context.ts';
import { pricePage } from '../../checkout/index.ts';
import { createCustomerCookie, prefersHtml, requireNavigation } from '../../plugins/index.ts';
import { asPage, isPage, languageOf, preferenceOf, showProblem, showRejection } from '../pay-pages.ts';
import { rawQueryOf, requirePublishableKey } from '../plugins/require-publishable-key.ts';
import { DEFAULT_CURRENCY, PayQuery } from '../schemas/create-transaction.ts';
import { onlyFailures } from '../schemas/error.ts';

export interface PayRouteDeps extends HostedPaymentDeps, OfferDeps {
  readonly overview: OfferDeps['overview'];
  readonly authenticator: Authenticator;
  /** Whether PUBLIC_URL is https, which makes the cookie https-only. */
  readonly isHttps: boolean;
}

const KEY_HOLDER = 'keyHolder';

export const payRoute: FastifyPluginAsyncTypebox<PayRouteDeps> = async (app, deps) => {
  const { authenticator, isHttps } = deps;
  const customerCookie = createCustomerCookie(isHttps);
  await app.register(cookie);
  app.decorateRequest(KEY_HOLDER, null);
  app.addHook('onRequest', async (request, reply) => {
    const { pk } = rawQueryOf(request);
    if (typeof pk !== 'string') return;
    const holder = await requirePublishableKey(authenticator, pk, reply);
    bindRequestContext({ merchantId: holder.merchantId });
    request.setDecorator<KeyHolder | null>(KEY_HOLDER, holder);
  });
  app.addHook('preValidation', async (request) => {
    requireNavigation(request);
    checkValues(rawQueryOf(request));
  });
  // The payload is the response for programs; browsers get a page instead, with
  // the same status and headers.
  app.addHook('onSend', async (request, reply, payload) => {
    // The URL contains a key and a price, which must not reach the next site as referrer.
    void reply.headers({
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
      Vary: 'Accept, Accept-Language',
    });
    if (reply.statusCode < 400 || typeof payload !== 'string' || !prefersHtml(request.headers.accept)) return payload;
    return isPage(reply) ? payload : showProblem(payload, { request, reply });
  });

  app.get(
    '/pay',
    {
      // A HEAD request would start a payment.
      exposeHeadRoute: false,
      // A browser that names no coin is shown the coins to choose from.
      attachValidation: true,
      schema: {
        operationId: 'hostedCheckoutRedirect',
        summary: 'Redirect a customer to the payment page',
        description:
          'For links and forms on your pages: starts a payment and redirects the browser to its page. Requires a publishable key and no Authorization header. The redirect sets a cookie. A browser that repeats the same request with the cookie, while nothing is paid, returns to the same payment. A browser that loads it as an image, frame or script, or prefetches it, gets 403. Browsers get errors as pages, `Accept: application/json` gets the envelope. Without `crypto`, a browser gets a page with the coins to choose from.',
        tags: ['Checkout'],
        security: [],
        querystring: PayQuery,
        response: {
          200: {
            description: 'A page with the coins to choose from, for a browser without `crypto`.',
            content: { 'text/html': { schema: { type: 'string' } } },
          },
          302: {
            type: 'null',
            description: 'Redirect to the payment page.',
            headers: {
              Location: { type: 'string', format: 'uri', description: '`{checkout_url}/transaction/<transaction_id>`' },
            },
          },
          ...onlyFailures(
            'INVALID_REQUEST',
            'INVALID_CRYPTO',
            'INVALID_AMOUNT',
            'AMOUNT_TOO_LOW',
            'INVALID_CURRENCY',
            'WALLET_NOT_CONFIGURED',
            'UNAUTHORIZED',
            'FORBIDDEN',
            'NO_ACTIVE_PLAN',
            'ACTIVE_TRANSACTION_EXISTS',
            'PAYMENT_LINK_PAID',
            'PAYMENT_LINK_EXPIRED',
            'RATE_LIMIT_EXCEEDED',
            'TOO_MANY_OPEN_PAYMENTS',
            'MONTHLY_LIMIT_REACHED',
            'RATE_FETCH_FAILED',
            'ADDRESS_GENERATION_FAILED',
            'INTERNAL_ERROR',
            'UPSTREAM_ERROR',
          ),
        },
      },
    },
    async (request, reply) => {
      const { validationError } = request;
      if (validationError !== undefined) {
        if (prefersHtml(request.headers.accept) && lacksOnlyCoin(validationError)) return offerCoins(request, reply);
        throw validationError;
      }
      const { amount, crypto, currency = DEFAULT_CURRENCY, link = null } = request.query;
      const customer = customerCookie.read(request);
      const opener = { key: keyHolderOf(request), customer, clientAddress: request.ip };
      let page: string;
      try {
        page = await openHostedPayment(deps, opener, { amount, crypto, currency, linkSlug: link });
      } catch (error) {
        if (error instanceof RejectedLinkError && prefersHtml(request.headers.accept)) {
          return showRejection(deps, error, { request, reply });
        }
        throw error;
      }
      customerCookie.write(reply, customer);
      const language = new URLSearchParams(languageOf(request)).toString();
      return reply.redirect(language === '' ? page : `${page}?${language}`, 302);
    },
  );

  /** Shows the coins for a price; with a link, its own page does. */
  async function offerCoins(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = request.query as Omit<Static<typeof PayQuery>, 'crypto'>;
    const { pk, amount, currency = DEFAULT_CURRENCY, link } = query;
    const key = keyHolderOf(request);
    if (link !== undefined) {
      const address = shortAddress(deps.publicUrl, await requireLink(deps.db, key, link));
      const pageQuery = new URLSearchParams({ amount, ...languageOf(request) });
      return reply.redirect(`${address}?${pageQuery.toString()}`, 302);
    }
    const page = pricePage({
      offer: await findPriceOffer(deps, key, { amount, currency }),
      parameters: { pk, amount, currency, ...languageOf(request) },
      ...preferenceOf(request),
    });
    return asPage(reply).send(page);
  }
};

// Helpers

/**
 * Rejects invalid values of parameters with their own error code. The schema finds
 * missing and repeated ones.
 */
function checkValues(query: Record<string, unknown>): void {
  const { crypto, currency, link } = query;
  if (typeof crypto === 'string' && !isCryptoSymbol(crypto)) {
    throw new TerminalError('INVALID_CRYPTO', 'crypto must be a supported coin, like BTC');
  }
  if (link !== undefined) delete query.currency;
  else if (typeof currency === 'string' && !FIAT_CURRENCIES.some((known) => known === currency)) {
    const message = `currency must be one of ${FIAT_CURRENCIES.join(', ')}`;
    throw new TerminalError('INVALID_CURRENCY', message, { field: 'currency' });
  }
}

function lacksOnlyCoin({ validation = [] }: { readonly validation?: readonly ValidationDetail[] }): boolean {
  return (
    validation.length > 0 &&
    validation.every(({ keyword, params }) => keyword === 'required' && params.missingProperty === 'crypto')
  );
}

/** Validation has rejected requests without a key, and the hook keys without a holder. */
function keyHolderOf(request: FastifyRequest): KeyHolder {
  const holder = request.getDecorator<KeyHolder | null>(KEY_HOLDER);
  if (holder === null) throw new Error('GET /pay ran without a publishable key');
  return holder;
}
