import { isCryptoSymbol, type UnixMs } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { isPrintable, requireCustomerText } from '../platform/text.ts';
import { MINIMUM_USD_CENTS } from '../rates/index.ts';
import type { LinkTerms } from './link.ts';

export const MAX_TITLE_CHARACTERS = 100;
export const MAX_DESCRIPTION_CHARACTERS = 500;
const MAX_URL_CHARACTERS = 2_048;
/** The column is an int4. */
export const MAX_LINK_USES = 1_000_000_000;

/** Throws `INVALID_LINK` (`TerminalError`) for terms that cannot be paid or cannot be shown. */
export function checkTerms(terms: LinkTerms, now: UnixMs): void {
  checkText('title', terms.title, MAX_TITLE_CHARACTERS);
  if (terms.title.trim() === '') throw invalid('title', 'The title must not be empty');
  if (terms.description !== null) checkText('description', terms.description, MAX_DESCRIPTION_CHARACTERS);
  checkPrice(terms);
  const unknown = terms.cryptos.find((crypto) => !isCryptoSymbol(crypto));
  if (unknown !== undefined) throw invalid('cryptos', `${unknown} is not a supported coin`);
  if (new Set(terms.cryptos).size < terms.cryptos.length)
    throw invalid('cryptos', 'Each coin must be listed only once');
  if (terms.successUrl !== null && !isWebAddress(terms.successUrl)) {
    const rule = `an https:// or http:// address of at most ${MAX_URL_CHARACTERS} characters`;
    throw invalid('successUrl', `The success URL must be ${rule}`);
  }
  if (terms.expiresAt !== null && terms.expiresAt <= now) {
    throw invalid('expiresAt', 'The link must expire in the future');
  }
  if (terms.maxUses !== null && !isCount(terms.maxUses)) {
    throw invalid('maxUses', `A link can be paid 1 to ${MAX_LINK_USES} times, or without limit`);
  }
}

// Helpers

function checkText(what: 'title' | 'description', text: string, maxCharacters: number): void {
  if (text.length > maxCharacters || !isPrintable(text)) {
    throw invalid(what, `The ${what} must have at most ${maxCharacters} characters and no control characters`);
  }
  requireCustomerText(text, what, 'INVALID_LINK');
}

function checkPrice({ price, currency }: LinkTerms): void {
  // Other currencies are checked when it is paid, at the rate of that time.
  const tooLow = (cents: bigint) => currency === 'USD' && cents < MINIMUM_USD_CENTS;
  if (price.kind === 'fixed') {
    if (tooLow(price.cents)) throw invalid('price', 'The amount must be worth at least 1.00 USD');
    return;
  }
  const { minCents, maxCents } = price;
  if (maxCents !== null && tooLow(maxCents))
    throw invalid('price', 'The largest amount must be worth at least 1.00 USD');
  if (minCents !== null && maxCents !== null && minCents > maxCents) {
    throw invalid('price', 'The smallest amount must not be above the largest');
  }
}

function isWebAddress(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text)) return false;
  return ['https:', 'http:'].includes(new URL(text).protocol);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_LINK_USES;
}

function invalid(field: keyof LinkTerms, message: string): TerminalError {
  return new TerminalError('INVALID_LINK', message, { field });
}
