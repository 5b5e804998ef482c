/**
 * Requests are generated before any ids exist, so they contain placeholders, which are filled in
 * when a request is sent: the same seed gives the same requests, with other ids.
 */
export const placeholder = {
  /** A word that identifies the owner of data, unique per merchant and mode. */
  mark: '{{mark}}',
  /**
   * The nth id returned as the field `name`, such as `transaction_id`: to the sender of the
   * request, or to another scope.
   */
  existing: (name: string, whose: 'own' | 'foreign', nth: number) => `{{existing ${name} ${whose} ${nth}}}`,
  /** URL of a webhook endpoint that contains the sender's mark. */
  receiver: (nth: number) => `{{receiver}}/{{mark}}/${nth}`,
  slug: (nth: number) => `{{slug ${nth}}}`,
  key: (name: string) => `{{key ${name}}}`,
} as const;

export type Word = keyof typeof placeholder;
export type Filler = (word: Word, arguments_: readonly string[]) => string;

const PLACEHOLDER = new RegExp(`\\{\\{(${Object.keys(placeholder).join('|')})((?: [\\w.]+)*)\\}\\}`, 'g');

/**
 * Replaces every placeholder in a text, which may be JSON: the values need no escaping. Other words
 * in double braces stay: random text has produced `{{w}}`.
 */
export function fill(text: string, filler: Filler): string {
  return text.replace(PLACEHOLDER, (_all, word: Word, rest: string) => filler(word, rest.split(' ').slice(1)));
}
