/**
 * Text measurement. The server computes the layout without fonts, for browsers whose `system-ui`
 * font is unknown: San Francisco, Segoe UI, Roboto, Noto or DejaVu. The table contains the advance
 * widths of DejaVu Sans, the widest of them, so a text may leave some space in its box, but never
 * overflows it.
 */

/** Advance width in thousandths of the font size. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijl'", 280],
  ['I|J', 340],
  ['.,:;!/\\ ', 340],
  ['f()[]t-`', 400],
  ['r"', 420],
  ['_*', 500],
  ['cksvxyz?', 595],
  ['abdeghnopqu0123456789FLPESTYZ', 640],
  ['ABCKRVX$#', 700],
  ['DGHNOQU&w', 825],
  ['Mm+=<>~^', 980],
  ['W%@', 1000],
];
/** Characters that are not in the table: no Latin letter is wider than its em. */
const OTHER_WIDTH = 1000;
/** Bold letters of DejaVu Sans are up to 15 percent wider on names as charts have them. */
const BOLD_FACTOR = 1.12;

const WIDTH_OF: ReadonlyMap<string, number> = new Map(
  WIDTHS.flatMap(([characters, width]) => Array.from(characters, (character): [string, number] => [character, width])),
);

export interface TextStyle {
  /** Font size in CSS pixels. */
  readonly size: number;
  readonly isBold: boolean;
}

/** Width in CSS pixels, rounded up; an upper bound for the usual interface fonts. */
export function textWidth(text: string, { size, isBold }: TextStyle): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTH_OF.get(character) ?? OTHER_WIDTH;
  return Math.ceil((thousandths / 1000) * size * (isBold ? BOLD_FACTOR : 1));
}
