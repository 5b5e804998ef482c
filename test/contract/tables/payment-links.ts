import type { FieldTable } from '../check.ts';
import { pageOf } from './transaction.ts';

const PAYMENT_LINK: FieldTable = {
  slug: { type: 'string', required: 'yes' },
  url: { type: 'uri', required: 'yes' },
  title: { type: 'string', required: 'yes' },
  description: { type: 'string', required: 'yes', nullable: true },
  image_url: { type: 'uri', required: 'yes', nullable: true },
  amount: { type: 'number', required: 'yes', nullable: true },
  min_amount: { type: 'number', required: 'yes', nullable: true },
  max_amount: { type: 'number', required: 'yes', nullable: true },
  currency_fiat: { type: 'string', required: 'yes' },
  cryptos: { type: { listOf: 'string' }, required: 'yes' },
  success_url: { type: 'uri', required: 'yes', nullable: true },
  expires_at: { type: 'date-time', required: 'yes', nullable: true },
  max_uses: { type: 'integer', required: 'yes', nullable: true },
  uses: { type: 'integer', required: 'yes' },
  excess_transaction_ids: { type: { listOf: 'string' }, required: 'yes' },
  state: { type: { oneOf: ['open', 'used_up', 'expired', 'closed'] }, required: 'yes' },
  created_at: { type: 'date-time', required: 'yes' },
  closed_at: { type: 'date-time', required: 'yes', nullable: true },
};
const OF_ONE = {
  access: 'secret key',
  success: 200,
  path: '/links/{slug}',
  response: { envelope: { fields: PAYMENT_LINK } },
  failures: [],
  added: [401, 403, 404, 429, 500],
  why: 'a shop makes links in its own programs as well',
} as const;

/** Payment links, which the interface leaves to a dashboard. */
export const PAYMENT_LINKS = {
  createPaymentLink: {
    ...OF_ONE,
    method: 'POST',
    path: '/links',
    success: 201,
    added: [400, 401, 403, 409, 429, 500],
    body: { title: 'Workshop', amount: 25 },
  },
  listPaymentLinks: {
    ...OF_ONE,
    method: 'GET',
    path: '/links',
    response: { envelope: { fields: pageOf('links', PAYMENT_LINK) } },
    added: [400, 401, 403, 429, 500],
  },
  getPaymentLink: { ...OF_ONE, method: 'GET' },
  closePaymentLink: { ...OF_ONE, method: 'POST', path: '/links/{slug}/close' },
} as const;
