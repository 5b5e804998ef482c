import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { createFormats, type Formats } from './formats.ts';
import { FRENCH } from './fr.ts';
import type { Language } from './language.ts';
import { POLISH } from './pl.ts';
import type { Texts } from './texts.ts';

/** Everything a page needs to speak one language. */
export interface Locale {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
}

/** Made once: formatters of Intl are dear to make and cheap to use. */
export const LOCALES: { readonly [L in Language]: Locale } = {
  en: localeOf('en', ENGLISH),
  pl: localeOf('pl', POLISH),
  de: localeOf('de', GERMAN),
  fr: localeOf('fr', FRENCH),
  es: localeOf('es', SPANISH),
};

// Helpers

function localeOf(language: Language, texts: Texts): Locale {
  return { language, texts, formats: createFormats(language) };
}
