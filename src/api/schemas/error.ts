import { Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { ref } from './ref.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Unsafe<ErrorCode>({ type: 'string', enum: CODES, description: 'For programs.' }),
    message: Type.String({ description: 'For people.' }),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'The fields that are wrong, as far as they are known.',
      }),
    ),
  },
  { $id: 'ErrorEnvelope', description: 'What went wrong.' },
);

/** What every route behind a secret key can answer with. */
const OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'USE_PAY_ENDPOINT',
  'INTERNAL_ERROR',
  'UPSTREAM_ERROR',
];

/** The error responses of a route by status: these codes, and those of every route. */
export function failures(...codes: readonly ErrorCode[]) {
  const all = CODES.filter((code) => [...OF_EVERY_ROUTE, ...codes].includes(code));
  const statuses = new Set(all.map((code) => ERROR_CODES[code].status));
  const responses = [...statuses].map((status) => {
    const listed = all.filter((code) => ERROR_CODES[code].status === status).join(', ');
    return [status, ref(ErrorEnvelope, { description: `${DESCRIPTIONS[status]}: ${listed}.` })] as const;
  });
  return Object.fromEntries(responses) as Record<keyof typeof DESCRIPTIONS, (typeof responses)[number][1]>;
}

// Helpers

const DESCRIPTIONS = {
  400: 'The request is not valid',
  401: 'The API key is missing or not valid',
  403: 'The API key may not do this',
  404: 'There is no such transaction',
  409: 'The request contradicts what is there already',
  500: 'The service failed',
  503: 'The service cannot do this at the moment, Retry-After says when to repeat the request',
} as const;
