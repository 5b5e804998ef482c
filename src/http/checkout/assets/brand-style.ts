import { contrastOf, MIN_TEXT_CONTRAST, textColourOn } from '../../../platform/contrast.ts';

/** Colours behind and in texts, per colour scheme, as `#rrggbb`. */
interface Scheme {
  readonly ground: string;
  readonly card: string;
  readonly field: string;
}

export const LIGHT: Scheme = { ground: '#f2f4f3', card: '#ffffff', field: '#f5f7f6' };
export const DARK: Scheme = { ground: '#0f1412', card: '#19211d', field: '#212b26' };

/** Least contrast of the shape of a control with what is around it (WCAG 2.2, 1.4.11). */
const MIN_SHAPE_CONTRAST = 3;

/**
 * Style sheet of a merchant's colour, `#rrggbb`, after that of the pages. Buttons have the colour
 * in every scheme, under text in black or white; an edge shows those that the card would swallow.
 * Links and outlines have it where it can be read on everything they stand on, and the default
 * elsewhere. A receipt is printed without it.
 */
export function brandStyle(colour: string): string {
  return `@media screen and (prefers-color-scheme: light) {
${rules(colour, LIGHT)}
}
@media screen and (prefers-color-scheme: dark) {
${rules(colour, DARK)}
}
.button:hover { filter: none; text-decoration: underline; }
`;
}

/** Whether text of this colour can be read on every surface of the scheme. */
export function isReadable(colour: string, { ground, card, field }: Scheme): boolean {
  return [ground, card, field].every((surface) => contrastOf(colour, surface) >= MIN_TEXT_CONTRAST);
}

// Helpers

function rules(colour: string, scheme: Scheme): string {
  const text = textColourOn(colour);
  const edge = contrastOf(colour, scheme.card) < MIN_SHAPE_CONTRAST ? 'var(--soft)' : 'transparent';
  const accent = isReadable(colour, scheme) ? ` --accent: ${colour}; --on-accent: ${text};` : '';
  return `:root { --button: ${colour}; --on-button: ${text}; --button-edge: ${edge};${accent} }`;
}
