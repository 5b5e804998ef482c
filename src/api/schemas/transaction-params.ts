import { type Static, Type } from 'typebox';
import { TerminalError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { ERROR_CODES } from '../error-codes.ts';

export const TransactionParams = Type.Object({
  transaction_id: Type.String({ description: 'The id returned by create.' }),
});

/** The id in the path. A malformed id is reported as not found, without a query. */
export function requireTransactionId({ transaction_id: id }: Static<typeof TransactionParams>): string {
  if (isId('txn', id)) return id;
  throw new TerminalError('TRANSACTION_NOT_FOUND', ERROR_CODES.TRANSACTION_NOT_FOUND.message);
}
