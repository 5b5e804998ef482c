import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { closeLink, createLink, findLinks, findListedLink, isSlug, type ListedLink } from '../../../links/index.ts';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import type { Scope } from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { ERROR_CODES } from '../error-codes.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import {
  CreatePaymentLinkBody,
  ListPaymentLinksQuery,
  PaymentLinkEnvelope,
  PaymentLinkListEnvelope,
  PaymentLinkParams,
} from '../schemas/payment-link.ts';
import { ref } from '../schemas/primitives.ts';
import { DEFAULT_PAGE_SIZE } from '../schemas/transaction-list.ts';
import { linkToJson, nameField, newLinkOf } from './payment-link-json.ts';

export interface PaymentLinkDeps extends ChangeDeps {
  readonly publicUrl: string;
}

const tags = ['Payment links'];

/** Payment links: create, list, read and close. A key sees those of its merchant and mode. */
export const paymentLinksRoutes: FastifyPluginAsyncTypebox<PaymentLinkDeps> = async (app, deps) => {
  const { db, clock, publicUrl } = deps;
  const toJson = (link: ListedLink) => linkToJson(link, { publicUrl, now: clock.now() });
  const find = async ({ merchantId, mode }: Scope, slug: string) => {
    const link = await findListedLink({ db }, { merchantId, mode, slug: requireSlug(slug) });
    if (link === null) throw notFound();
    return { success: true as const, data: toJson(link) };
  };

  const creation = {
    operationId: 'createPaymentLink',
    summary: 'Create a payment link',
    description:
      'Its `url` shows what is sold and starts a payment for each customer who opens it: share it, print it as a QR code, or link a button to it. The terms never change; to change them, close the link and create another.',
    tags,
    body: CreatePaymentLinkBody,
    response: { 201: ref(PaymentLinkEnvelope), ...failures('INVALID_AMOUNT', 'INVALID_CURRENCY', 'LINK_EXISTS') },
  };
  app.post('/links', { schema: creation }, async (request, reply) => {
    const caller = callerOf(request);
    const link = await changeWithKey(deps, caller, (change) =>
      createLink(change, newLinkOf(request.body, caller)),
    ).catch((error: unknown) => {
      throw nameField(error);
    });
    return reply.code(201).send({ success: true, data: toJson({ ...link, excessTransactionIds: [] }) });
  });

  const listing = {
    operationId: 'listPaymentLinks',
    summary: 'List payment links',
    description: 'Payment links in the mode of your key, newest first, including closed ones.',
    tags,
    querystring: ListPaymentLinksQuery,
    response: { 200: ref(PaymentLinkListEnvelope), ...failures() },
  };
  app.get('/links', { schema: listing }, async (request, reply) => {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = request.query;
    const { merchantId, mode } = callerOf(request);
    const { links, total } = await findLinks({ db }, { merchantId, mode }, { limit, offset });
    return reply.send({ success: true, data: { links: links.map(toJson), pagination: { limit, offset, total } } });
  });

  const reading = {
    operationId: 'getPaymentLink',
    summary: 'Get a payment link',
    description: 'Includes how often it was paid.',
    tags,
    params: PaymentLinkParams,
    response: { 200: ref(PaymentLinkEnvelope), ...failures('LINK_NOT_FOUND') },
  };
  app.get('/links/:slug', { schema: reading }, (request) => find(callerOf(request), request.params.slug));

  const closing = {
    operationId: 'closePaymentLink',
    summary: 'Close a payment link',
    description:
      'The link opens no more payments; open ones can still be paid. Closing it again changes nothing. A closed link cannot be reopened.',
    tags,
    params: PaymentLinkParams,
    response: { 200: ref(PaymentLinkEnvelope), ...failures('LINK_NOT_FOUND') },
  };
  app.post('/links/:slug/close', { schema: closing }, async (request) => {
    const caller = callerOf(request);
    const { merchantId, mode } = caller;
    const slug = requireSlug(request.params.slug);
    await changeWithKey(deps, caller, (change) => closeLink(change, { merchantId, mode, slug }));
    return find(caller, slug);
  });
};

// Helpers

/** A text that cannot be a slug is reported as not found, without a query. */
function requireSlug(text: string): string {
  if (isSlug(text)) return text;
  throw notFound();
}

function notFound(): TerminalError {
  return new TerminalError('LINK_NOT_FOUND', ERROR_CODES.LINK_NOT_FOUND.message);
}
