import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '../../../merchants/index.ts';
import { qualityOf } from '../../plugins/index.ts';

/** Languages of the payment page: those of the emails to customers. */
export const LANGUAGES = CUSTOMER_LANGUAGES;
export type Language = CustomerLanguage;

export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];

/** Each language by its own name, which its readers recognise. */
export const LANGUAGE_NAMES: { readonly [L in Language]: string } = {
  en: 'English',
  pl: 'Polski',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
};

export interface LanguageRequest {
  /** The `lang` query parameter, unvalidated. */
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** The language of a response. The URL takes precedence over the browser's preference. */
export function chooseLanguage({ lang, acceptLanguage }: LanguageRequest): Language {
  return languageOfAddress(lang) ?? preferred(acceptLanguage ?? '') ?? DEFAULT_LANGUAGE;
}

// Helpers

/** The language that the URL requests; null when there is none or it is not supported. */
function languageOfAddress(lang: unknown): Language | null {
  return typeof lang === 'string' ? languageOfTag(lang) : null;
}

/** A longer header is not a list of preferences; only this much of it is read. */
const MAX_HEADER_CHARACTERS = 1_000;

/**
 * RFC 9110, 12.5.4: the highest quality wins, the first among equals. Region subtags
 * are ignored (RFC 4647, 3.4).
 */
function preferred(header: string): Language | null {
  let best: Language | null = null;
  let bestQuality = 0;
  for (const range of header.slice(0, MAX_HEADER_CHARACTERS).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const language = languageOfTag(tag);
    const quality = qualityOf(parameters);
    if (language === null || quality <= bestQuality) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}

/**
 * The language of a tag of any length, ignoring case: `de-AT` is German. Null when not supported.
 */
function languageOfTag(tag: string): Language | null {
  const primary = tag.split('-', 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
