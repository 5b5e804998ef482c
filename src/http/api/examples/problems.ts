import { ERROR_CODES, type ErrorCode, factsOf, isErrorCode } from '../error-codes.ts';
import { EXISTING_TRANSACTION } from './transactions.ts';

/** An example of every code named in the description of an error response. */
export function problemExamples(description: string): Record<string, { readonly value: object }> {
  const codes = [...description.matchAll(/\b[A-Z]+(?:_[A-Z]+)*\b/g)].map(([word]) => word).filter(isErrorCode);
  return Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }]));
}

// Helpers

/** The default message, with the field where the code is always about the same one. */
function problemExample(code: ErrorCode): object {
  const { field } = factsOf(code);
  const { message } = ERROR_CODES[code];
  return {
    success: false,
    error: code,
    message,
    ...(field === undefined ? {} : { details: [{ field, message }] }),
    ...(code.startsWith('ACTIVE_TRANSACTION') ? { existing_transaction: EXISTING_TRANSACTION } : {}),
  };
}
