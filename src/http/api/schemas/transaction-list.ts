import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from '../../../../machines/index.ts';
import { LINE_PATTERN, MOMENT_PATTERN } from '../validation-problem.ts';
import { MAX_ORDER_ID_CHARACTERS } from './create-transaction.ts';
import { oneOf, ref } from './ref.ts';
import { Transaction } from './transaction.ts';

const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_IDS = 100;
/** 100 ids with separators and ample whitespace. */
const MAX_IDS_CHARACTERS = 10_000;

export const Pagination = Type.Object(
  { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer({ description: 'Number of all matches.' }) },
  { $id: 'Pagination', description: 'Which part of the list this is.' },
);

export const TransactionListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ transactions: Type.Array(ref(Transaction)), pagination: ref(Pagination) }),
  },
  { $id: 'TransactionListEnvelope', description: 'A page of transactions, newest first.' },
);

/** Of every list that is read by pages. */
export const PAGE_QUERY = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE, description: 'Page size.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Number of entries to skip.',
    }),
  ),
};

export const ListTransactionsQuery = Type.Object(
  {
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(TRANSACTION_STATUSES, { description: 'Only transactions of this status.' })),
    crypto: Type.Optional(oneOf(CRYPTO_SYMBOLS, { description: 'Only transactions in this coin.' })),
    exception: Type.Optional(
      oneOf(TRANSACTION_EXCEPTIONS, { description: 'Only transactions that wait for your decision because of this.' }),
    ),
    order_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ORDER_ID_CHARACTERS,
        pattern: LINE_PATTERN,
        description: 'Only transactions with this reference of yours.',
      }),
    ),
    created_from: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only transactions created at this moment or later.' }),
    ),
    created_to: Type.Optional(
      Type.String({
        pattern: MOMENT_PATTERN,
        description:
          'Only transactions created before this moment. Set it to the moment you begin, and new ones will not shift your pages.',
      }),
    ),
    ids: Type.Optional(
      Type.String({
        maxLength: MAX_IDS_CHARACTERS,
        description: `Only these transactions: up to ${MAX_IDS} ids, comma-separated. Unknown ones are skipped. Meant for polling open payments.`,
      }),
    ),
  },
  { additionalProperties: false },
);
