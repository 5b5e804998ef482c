import type { FastifyReply, FastifyRequest } from 'fastify';
import { findShop, type OfferDeps, type RejectedLinkError } from '../../links/index.ts';
import { payProblemPage, rejectedLinkPage, SECURITY_HEADERS } from '../checkout/index.ts';
import { describeError } from './error-codes.ts';
import { rawQueryOf } from './plugins/require-publishable-key.ts';
import type { ErrorBody } from './problem-shape.ts';

/** What browsers get from `GET /pay` instead of the envelope. */

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const PAGE_TYPE = 'text/html; charset=utf-8';

export function asPage(reply: FastifyReply): FastifyReply {
  return reply.headers(SECURITY_HEADERS).type(PAGE_TYPE);
}

export function isPage(reply: FastifyReply): boolean {
  return reply.getHeader('content-type') === PAGE_TYPE;
}

/** The page for an error envelope that `sendProblem` wrote. */
export function showProblem(envelope: string, { request, reply }: Exchange): string {
  const { error: code, message, details, existing_transaction: open } = JSON.parse(envelope) as ErrorBody;
  const retryAfter = Number(reply.getHeader('Retry-After'));
  void asPage(reply);
  return payProblemPage({
    code,
    message,
    field: details?.[0]?.field ?? null,
    requestId: request.id,
    retrySeconds: retryAfter > 0 ? retryAfter : null,
    openPaymentUrl: open?.payment_url ?? null,
    ...preferenceOf(request),
  });
}

/** Sends why a link opens no payment, to a customer who has none of it to continue. */
export async function showRejection(
  deps: Pick<OfferDeps, 'db'>,
  { rejection, link, code }: RejectedLinkError,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const page = rejectedLinkPage({
    rejection,
    link,
    shop: await findShop(deps, link),
    own: null,
    // The links of the language menu would drop the other parameters of the address.
    offersLanguages: false,
    ...preferenceOf(request),
  });
  return asPage(reply.code(describeError(code).status)).send(page);
}

/** The language in the URL, for the next URL; none if it is not two letters. */
export function languageOf(request: FastifyRequest): { lang?: string } {
  const { lang } = rawQueryOf(request);
  return typeof lang === 'string' && /^[a-z]{2}$/.test(lang) ? { lang } : {};
}

/** What the language of a page is chosen from. */
export function preferenceOf(request: FastifyRequest): {
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
} {
  return { lang: rawQueryOf(request).lang, acceptLanguage: request.headers['accept-language'] };
}
