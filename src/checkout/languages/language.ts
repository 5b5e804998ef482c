/** The languages the payment page speaks, as the subtags of BCP 47. The first is spoken to everybody else. */
export const LANGUAGES = ['en', 'pl', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];

/** Each language by its own name, because that is the one its readers look for. */
export const LANGUAGE_NAMES: { readonly [L in Language]: string } = {
  en: 'English',
  pl: 'Polski',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** The language a tag of any length stands for, in any case: `de-AT` is German. Null for one not spoken here. */
export function languageOfTag(tag: string): Language | null {
  const primary = tag.split('-', 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
