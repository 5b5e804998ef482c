/** Languages of the payment page, as BCP 47 subtags. The first is the default. */
export const LANGUAGES = ['en', 'pl', 'de', 'fr', 'es', 'it', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

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

/**
 * The language of a tag of any length, ignoring case: `de-AT` is German. Null when not supported.
 */
export function languageOfTag(tag: string): Language | null {
  const primary = tag.split('-', 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
