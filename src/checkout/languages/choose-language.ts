import { DEFAULT_LANGUAGE, type Language, languageOfTag } from './language.ts';

export interface Wish {
  /** The `lang` of the address, whatever was written there. */
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** The language of an answer. What the address asks for goes before what the browser prefers. */
export function chooseLanguage({ lang, acceptLanguage }: Wish): Language {
  return languageOfAddress(lang) ?? preferred(acceptLanguage ?? '') ?? DEFAULT_LANGUAGE;
}

// Helpers

/** The language an address asks for; null when it asks for none that is spoken here. */
function languageOfAddress(lang: unknown): Language | null {
  return typeof lang === 'string' ? languageOfTag(lang) : null;
}

/** A header longer than this is no list of preferences; only its beginning is read. */
const MAX_HEADER_CHARACTERS = 1_000;

/** RFC 9110, 12.5.4: the highest quality wins, among equals the first. Regions are looked past (RFC 4647, 3.4). */
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

/** `q=0.5` is 0.5; without it 1; what cannot be read is 0, as if it were not wanted. */
function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
  if (quality === undefined) return 1;
  const [, digits] = /^q\s*=\s*([01](?:\.\d{0,3})?)$/i.exec(quality) ?? [];
  return digits === undefined ? 0 : Math.min(1, Number(digits));
}
