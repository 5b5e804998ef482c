import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from '../../../../machines/index.ts';
import { LINE_PATTERN, MOMENT_PATTERN } from '../validation-problem.ts';
import { MAX_ORDER_ID_CHARACTERS } from './create-transaction.ts';
import { oneOf, ref } from './primitives.ts';
import { Transaction } from './transaction.ts';

const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_IDS = 100;
/** 100 ids with separators and ample whitespace. */
const MAX_IDS_CHARACTERS = 10_000;

export const Pagination = Type.Object(
  { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer({ description: 'Total number of matches.' }) },
  { $id: 'Pagination', description: 'Position of this page in the list.' },
);

export const TransactionListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ transactions: Type.Array(ref(Transaction)), pagination: ref(Pagination) }),
  },
  { $id: 'TransactionListEnvelope', description: 'A page of transactions, newest first.' },
);

/** Query parameters of every paginated list. */
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
    status: Type.Optional(oneOf(TRANSACTION_STATUSES, { description: 'Only transactions with this status.' })),
    crypto: Type.Optional(oneOf(CRYPTO_SYMBOLS, { description: 'Only transactions in this coin.' })),
    exception: Type.Optional(
      oneOf(TRANSACTION_EXCEPTIONS, {
        description: 'Only transactions with this exception, which await your decision.',
      }),
    ),
    order_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ORDER_ID_CHARACTERS,
        pattern: LINE_PATTERN,
        description: 'Only transactions with this reference.',
      }),
    ),
    created_from: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only transactions created at or after this time.' }),
    ),
    created_to: Type.Optional(
      Type.String({
        pattern: MOMENT_PATTERN,
        description:
          'Only transactions created before this time. Set it to the time you start, so that new transactions do not shift your pages.',
      }),
    ),
    ids: Type.Optional(
      Type.String({
        maxLength: MAX_IDS_CHARACTERS,
        description: `Only these transactions: up to ${MAX_IDS} ids, comma-separated. Unknown ids are skipped. Intended for polling open payments.`,
      }),
    ),
  },
  { additionalProperties: false },
);
