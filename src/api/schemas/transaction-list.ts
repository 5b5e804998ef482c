import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, TRANSACTION_STATUSES } from '../../../machines/index.ts';
import { oneOf, ref } from './ref.ts';
import { Transaction } from './transaction.ts';

const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;
/** Ids asked for at once. */
export const MAX_IDS = 100;
/** 100 ids with separators and generous white space. */
const MAX_IDS_CHARACTERS = 10_000;

export const Pagination = Type.Object(
  { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer({ description: 'How many match in all.' }) },
  { $id: 'Pagination', description: 'Which part of the list this is.' },
);

export const TransactionListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ transactions: Type.Array(ref(Transaction)), pagination: ref(Pagination) }),
  },
  { $id: 'TransactionListEnvelope', description: 'A page of transactions, newest first.' },
);

export const ListTransactionsQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE, description: 'Page size.' }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'How many to skip.',
      }),
    ),
    status: Type.Optional(oneOf(TRANSACTION_STATUSES, { description: 'Only transactions of this status.' })),
    crypto: Type.Optional(oneOf(CRYPTO_SYMBOLS, { description: 'Only transactions in this coin.' })),
    ids: Type.Optional(
      Type.String({
        maxLength: MAX_IDS_CHARACTERS,
        description: `Only these transactions: up to ${MAX_IDS} ids, comma-separated. Unknown ones are skipped. Meant for polling open payments.`,
      }),
    ),
  },
  { additionalProperties: false },
);
