import type { Language } from './choose-language.ts';
import { GERMAN } from './de.ts';
import type { Texts } from './en.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { createFormats, type Formats } from './formats.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';

/** Language, texts and formats of a page. */
export interface Locale {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
}

/** Created once: Intl formatters are expensive to create and cheap to use. */
export const LOCALES: { readonly [L in Language]: Locale } = {
  en: localeOf('en', ENGLISH),
  pl: localeOf('pl', POLISH),
  de: localeOf('de', GERMAN),
  fr: localeOf('fr', FRENCH),
  es: localeOf('es', SPANISH),
  it: localeOf('it', ITALIAN),
  pt: localeOf('pt', PORTUGUESE),
};

// Helpers

function localeOf(language: Language, texts: Texts): Locale {
  return { language, texts, formats: createFormats(language) };
}
