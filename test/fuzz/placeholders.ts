/**
 * Requests are generated before anybody knows which ids there will be, so they name them by placeholders. They are filled in
 * when the request is sent: the same seed gives the same requests, with other ids.
 */
export const placeholder = {
  /** A word that tells whose data it is, unique per merchant and mode. */
  mark: '{{mark}}',
  /** The nth id that was answered as the field `name`, like `transaction_id`: to whoever asks, or to somebody else. */
  existing: (name: string, whose: 'own' | 'foreign', nth: number) => `{{existing ${name} ${whose} ${nth}}}`,
  /** The URL of a receiver of webhooks, by the mark of whoever asks. */
  receiver: (nth: number) => `{{receiver}}/{{mark}}/${nth}`,
  slug: (nth: number) => `{{slug ${nth}}}`,
  key: (name: string) => `{{key ${name}}}`,
} as const;

export type Word = keyof typeof placeholder;
export type Filler = (word: Word, arguments_: readonly string[]) => string;

const PLACEHOLDER = new RegExp(`\\{\\{(${Object.keys(placeholder).join('|')})((?: [\\w.]+)*)\\}\\}`, 'g');

/**
 * Replaces every placeholder in a text, which may be JSON: what is filled in needs no escaping. Other words in double braces
 * stay: random text has produced `{{w}}`.
 */
export function fill(text: string, filler: Filler): string {
  return text.replace(PLACEHOLDER, (_all, word: Word, rest: string) => filler(word, rest.split(' ').slice(1)));
}
