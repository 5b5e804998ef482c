/** Colours are `#rrggbb`, in lower case. */

export type TextColour = '#000000' | '#ffffff';

/** Minimum contrast of text with its background (WCAG 2.2, 1.4.3, level AA). */
export const MIN_TEXT_CONTRAST = 4.5;

/** The colour in the form that is stored; null unless it is `#rrggbb`. */
export function readHexColour(text: string): string | null {
  const colour = text.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(colour) ? colour : null;
}

/**
 * Black or white, whichever is easier to read on this colour. The contrast is at least 4.58: that
 * of the colour as far from black as from white.
 */
export function textColourOn(ground: string): TextColour {
  return contrastOf('#000000', ground) >= contrastOf('#ffffff', ground) ? '#000000' : '#ffffff';
}

/** Contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

// Helpers

/** Relative luminance, from 0 for black to 1 for white (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Linear light of one channel of sRGB. */
function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
