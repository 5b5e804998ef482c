import type { FastifySchemaValidationError } from 'fastify';
import { SLUG_PATTERN } from '../../links/index.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Detail, Problem } from './problem-shape.ts';

/** Maximum number of errors in one response; a body of a megabyte can have a hundred thousand. */
const MAX_DETAILS = 20;
/** Names of unknown fields come from the client. */
const MAX_FIELD_CHARACTERS = 100;

/**
 * Body fields whose invalid values have their own code. A missing field is
 * `INVALID_REQUEST`, except for those below.
 */
const CODE_OF_FIELD: Readonly<Record<string, ErrorCode>> = {
  crypto: 'INVALID_CRYPTO',
  amount: 'INVALID_AMOUNT',
  currency_fiat: 'INVALID_CURRENCY',
  metadata: 'INVALID_METADATA',
};

/** Body fields with their own code when missing, empty or of another type. */
const CODE_OF_MISSING: Readonly<Record<string, ErrorCode>> = {
  items: 'MISSING_ITEMS',
  order_id: 'MISSING_ORDER_ID',
};
const EMPTY_KEYWORDS: ReadonlySet<string> = new Set(['type', 'minItems', 'minLength']);

/**
 * Converts validation errors to a problem, field by field. With different codes the first field
 * decides, but unknown or missing fields come before invalid values.
 */
export function problemOfValidation(
  errors: readonly FastifySchemaValidationError[],
  context: string | undefined,
): Problem {
  const fieldErrors = errors.map((error) => toFieldError(error, context)).sort((a, b) => a.rank - b.rank);
  const details = new Map<string, Detail>();
  for (const { field, message } of fieldErrors) {
    if (details.size < MAX_DETAILS && !details.has(field)) details.set(field, { field, message });
  }
  const [first] = fieldErrors;
  return {
    code: first?.code ?? 'INVALID_REQUEST',
    message: first?.message ?? 'The request is not valid.',
    details: [...details.values()].filter(({ field }) => field !== ''),
    retryAfterSeconds: null,
  };
}

// Helpers

interface FieldError extends Detail {
  readonly code: ErrorCode;
  /** Structural errors come first. */
  readonly rank: 0 | 1;
}

function toFieldError(error: FastifySchemaValidationError, context: string | undefined): FieldError {
  const { params, keyword } = error;
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const shape = (name: unknown, message: (field: string) => string): FieldError => {
    const field = printable([path, String(name)].filter((part) => part !== '').join('.'));
    const missing = keyword === 'required' && context === 'body' ? CODE_OF_MISSING[field] : undefined;
    return { code: missing ?? 'INVALID_REQUEST', rank: 0, field, message: message(field) };
  };
  if (keyword === 'additionalProperties') {
    const kind = context === 'querystring' ? 'parameter' : 'field';
    return shape(params.additionalProperty, (field) => `${field} is not a ${kind} of this request`);
  }
  if (keyword === 'required') return shape(params.missingProperty, (field) => `${field} is required`);
  if (path === '') {
    return { code: 'INVALID_REQUEST', rank: 0, field: '', message: 'The body must be a JSON object.' };
  }
  const field = printable(context === 'headers' ? headerName(path) : path);
  const ofField = EMPTY_KEYWORDS.has(keyword) ? (CODE_OF_MISSING[path] ?? CODE_OF_FIELD[path]) : CODE_OF_FIELD[path];
  const code = (context === 'body' ? ofField : undefined) ?? 'INVALID_REQUEST';
  return { code, rank: 1, field, message: `${field} ${expectation(error)}` };
}

/** The expected value, as the end of a sentence that begins with the field. */
function expectation({ keyword, params, message = 'is not valid' }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'type':
      return `must be ${[params.type].flat().map(String).join(' or ')}`;
    case 'format':
      return params.format === 'email' ? 'must be an email address' : 'must be an absolute URL';
    case 'pattern':
      return PATTERN_WORDS[String(params.pattern)] ?? message;
    case 'exclusiveMinimum':
      return `must be above ${String(params.limit)}`;
    default:
      return message;
  }
}

/** Patterns of the schemas, with their messages. */
export const HTTP_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]';
export const PRINTABLE_ASCII_PATTERN = '^[ -~]*$';
/**
 * One line of readable text: no control characters, some of which cannot be
 * stored, and no lone surrogate.
 */
export const LINE_PATTERN = '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$';
/** The same, but may be blank. */
export const PRINTABLE_PATTERN = '^[^\\p{Cc}\\p{Cs}]*$';
/** ISO 8601 in the form of RFC 3339, or a date. */
export const MOMENT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$';
const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [HTTP_URL_PATTERN]: 'must begin with https:// or http://',
  [PRINTABLE_ASCII_PATTERN]: 'must be printable ASCII characters',
  [LINE_PATTERN]: 'must be one line of text without control characters, and not blank',
  [PRINTABLE_PATTERN]: 'must be one line of text without control characters',
  [SLUG_PATTERN]:
    'must have 3 to 64 characters: lower-case letters, digits, and hyphens that are neither first nor last',
  [MOMENT_PATTERN]: 'must be a time like 2026-11-21T09:30:00Z (encode + as %2B), or a date like 2026-11-21',
};

function headerName(path: string): string {
  return path.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Control characters and lone surrogates would corrupt a log or terminal. */
function printable(text: string): string {
  const short = text.length > MAX_FIELD_CHARACTERS ? `${text.slice(0, MAX_FIELD_CHARACTERS)}…` : text;
  return short.replace(/[\p{Cc}\p{Cs}]/gu, '�');
}
