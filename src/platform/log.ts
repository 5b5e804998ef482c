import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { currentContext, logFieldsOf } from './request-context.ts';

export type Log = Logger;
/** The log interface of this service's libraries; a `Log` is one. */
export interface EventLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
export type LogLevel = LevelWithSilent;
export const LOG_LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const satisfies readonly LogLevel[];

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Defaults to stdout. */
  readonly destination?: DestinationStream;
}

/**
 * Creates a JSON logger that redacts secrets. Redaction by path covers only known paths, so every
 * finished line is searched: message, nested fields, child bindings, and an error's message, stack
 * and causes. A line without a suspicious pattern costs one regular expression and is written
 * unchanged. Every line includes the fields of the current request context (`currentContext`).
 */
export function createLogger({ level, destination }: LoggerOptions): Log {
  const options = { level, hooks: { streamWrite: scrubLine }, mixin: fieldsOfContext };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Redacts API keys, webhook secrets, extended keys (also public ones: they reveal every address of
 * a wallet), email addresses, authorization values, URL credentials, tokens of links in emails and
 * `password=…` pairs.
 */
export function scrubText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  if (text.length > MAX_SEARCHED_CHARACTERS)
    return `[redacted: ${text.length} characters, too long to search for secrets]`;
  return PATTERNS.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}

/**
 * Redacts one line of JSON, including every value under a secret's name. Works on tokens of the
 * text, because parsing and serializing would lose digits of long integers.
 */
function scrubLine(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  let depth = 0;
  /** Depth of the container that is a secret's value; everything inside it is redacted. */
  let secretDepth = Number.POSITIVE_INFINITY;
  let isSecretNext = false;
  return line.replace(JSON_TOKEN, (token: string, literal: string | undefined, colon: string | undefined) => {
    if (literal !== undefined && colon !== undefined) {
      isSecretNext = isSecretName(JSON.parse(literal));
      return scrubLiteral(literal) + colon;
    }
    const isSecret = isSecretNext || depth >= secretDepth;
    const opens = token === '{' || token === '[';
    if (opens) {
      depth += 1;
      if (isSecretNext) secretDepth = Math.min(secretDepth, depth);
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth < secretDepth) secretDepth = Number.POSITIVE_INFINITY;
    }
    isSecretNext = false;
    if (literal !== undefined) return isSecret ? HIDDEN_LITERAL : scrubLiteral(literal);
    // Only brackets and numbers remain; true, false and null reveal nothing and are not tokens
    // here.
    return isSecret && /\d/.test(token) ? HIDDEN_LITERAL : token;
  });
}

// Helpers

/** Request context fields; fields given in the log call take precedence. */
function fieldsOfContext(_fields: object, _level: number, log: Logger): Record<string, string> {
  const context = currentContext();
  if (context === null) return {};
  const { requestId, ...fields } = logFieldsOf({ ...context.ids, trace: context.trace });
  // A request's logger has `requestId` already, and JSON must not repeat a name.
  return requestId === undefined || 'requestId' in log.bindings() ? fields : { requestId, ...fields };
}

/**
 * Replacing takes quadratic time on some texts, as with many nested escapes: 0.06 s at this length.
 */
const MAX_SEARCHED_CHARACTERS = 32_768;
const HIDDEN = '[redacted]';
const HIDDEN_LITERAL = JSON.stringify(HIDDEN);

/** A string, with the colon if it is a name; a bracket; or a number. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]|-?\d[\d.eE+-]*/g;

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/**
 * The last three letters of each extended key prefix: xpub, zprv, Ltub, Mtpv, dgub, tgpv, drkp,
 * drkv …
 */
const EXTENDED_KEY = `(?:pub|prv|tub|tpv|gub|gpv|rkp|rkv)${BASE58}{20}`;
const SECRET_WORDS =
  'password|passwd|passphrase|secrets?|token|authorization|cookie|api[-_ ]?key|private[-_ ]?key|secrets?[-_ ]?key(?:[-_ ]?previous)?|mnemonic|e-?mail';

/** Whether any pattern below could match, in plain text as well as inside JSON. */
const SUSPICIOUS = new RegExp(
  `@|[sp]k_(?:live|test)_|whsec_|${EXTENDED_KEY}|bearer|basic|/recurring/|/sign-up/confirm#|(?:${SECRET_WORDS}|public[-_]?key)`,
  'i',
);

/**
 * Ordered: URL credentials come before email addresses, which they resemble. None requires a word
 * boundary: in text that was escaped once more, the letter of a `\n` directly precedes the secret.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([sp]k_(?:live|test)_)[A-Za-z0-9]+/gi, `$1${HIDDEN}`],
  [/(whsec_)[A-Za-z0-9+/=_%-]+/gi, `$1${HIDDEN}`],
  [new RegExp(`([A-Za-z])(${EXTENDED_KEY}${BASE58}*)`, 'g'), HIDDEN],
  [/(:\/\/)[^\s/?#]*@/g, `$1${HIDDEN}@`],
  // No two runs of spaces without something in between: splitting one run in all ways is quadratic.
  [/(authorization\\*["']?\s*[:=]\s*(?:(?:\\+["']?|["'])\s*)?\w+)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/(bearer)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  // Links in emails, and links to set a password or confirm a sign-up.
  [/(\/recurring\/(?:confirm|pay|stop)\/)[\w-]+/gi, `$1${HIDDEN}`],
  [/(\/(?:password-reset|sign-up\/confirm)#)[\w-]+/gi, `$1${HIDDEN}`],
  // "a basic payment" is ordinary text; base64 credentials contain a capital, a digit or padding.
  [/([Bb]asic)\s+(?=\S*[\dA-Z=])[A-Za-z0-9+/]{8,}={0,2}/g, `$1 ${HIDDEN}`],
  // A local part has at most 64 octets (RFC 5321); the bound keeps the search linear.
  [/[^\s@<>()[\],;:"\\]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}[\p{L}\p{N}-]{0,62}/gu, HIDDEN],
  // name=value, name: value, and "name":"value" in JSON logged as text, escaped any number of
  // times.
  [new RegExp(`((?:${SECRET_WORDS})(\\\\*["'])\\s*[:=]\\s*)\\2[^]*?\\2`, 'gi'), `$1$2${HIDDEN}$2`],
  [new RegExp(`((?:${SECRET_WORDS})\\s*[:=]\\s*)(["'])[^]*?\\2`, 'gi'), `$1$2${HIDDEN}$2`],
  [new RegExp(`((?:${SECRET_WORDS})\\s*[:=]\\s*)(?!\\[redacted\\]|["'])[^\\s"',;&}]+`, 'gi'), `$1${HIDDEN}`],
];

const SECRET_NAME = new RegExp(`^[\\w.-]*(?:${SECRET_WORDS}|extended[-_]?(?:public|private)[-_]?key)$`, 'i');

/**
 * `webhook_secret`, `customerEmail`, `x-api-key`: the last words of a name decide whether its value
 * is a secret.
 */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function scrubLiteral(literal: string): string {
  if (!SUSPICIOUS.test(literal)) return literal;
  return JSON.stringify(scrubText(JSON.parse(literal)));
}
