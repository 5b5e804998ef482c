/**
 * The form in which shop names are compared: without case, width, spaces and invisible characters,
 * because readers do not see them. Empty for a name of only such characters.
 */
export function comparableName(name: string): string {
  // Removed again at the end, because NFKC writes some characters as others with a space.
  return name.replace(UNSEEN, '').normalize('NFKC').replace(UNSEEN, '').toLowerCase();
}

// Helpers

/**
 * Spaces, controls, what Unicode says to ignore (with the Hangul fillers), and symbols without ink:
 * the Braille blank, Egyptian blanks, the Khitan filler and the musical null note.
 */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
