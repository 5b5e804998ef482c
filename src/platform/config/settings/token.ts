import { bad, good, type Parser } from '../parsers.ts';

/** A token of printable ASCII without spaces, because it is sent in an HTTP header. */
export function token(minCharacters: number): Parser<string> {
  return (text) => {
    if (/^[\x21-\x7e]{1,512}$/.test(text) && text.length >= minCharacters) return good(text);
    return bad(
      `must have ${minCharacters} to 512 printable ASCII characters and no spaces; generate it with \`openssl rand -hex 32\``,
    );
  };
}
