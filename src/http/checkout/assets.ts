import { createHash } from 'node:crypto';
import { type Body, compressFile, type Encoding } from '../plugins/index.ts';
import { brandStyle } from './assets/brand-style.ts';
import { SCRIPT } from './assets/script.ts';
import { STYLE } from './assets/style.ts';

/**
 * Static files of the pages. Their texts are TypeScript, so that the build needs no step to copy
 * files. The URL contains a hash of the content, so they may be cached forever.
 */
export interface Asset {
  readonly contentType: string;
  readonly body: (encoding: Encoding | null) => Body;
  readonly hash: string;
}

const HASH_CHARACTERS = 16;
const CSS = 'text/css; charset=utf-8';

/** The favicon: a receipt with a tick. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="m9 17 5 5 9.5-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const ASSETS: { readonly [name: string]: Asset } = {
  'page.css': asset(CSS, withoutSpace(STYLE)),
  'page.js': asset('text/javascript; charset=utf-8', SCRIPT),
  'icon.svg': asset('image/svg+xml; charset=utf-8', ICON),
};

/** Paths relative to the root of the service, without a leading slash. */
export const ASSET_PATHS = {
  style: assetPathOf('page.css'),
  script: assetPathOf('page.js'),
  icon: assetPathOf('icon.svg'),
} as const;

/** Path of the style sheet of a merchant's colour, `#rrggbb`; its content follows from the path. */
export function colourStylePath(colour: string): string {
  return `checkout/assets/colour-${colour.slice(1)}-${colourStyle(colour).hash}.css`;
}

/**
 * The asset of a file name such as `page-<hash>.css`; null when there is none. During a rolling
 * update, a page of another version may request its file here: it receives the current one, which
 * it must not cache.
 */
export function findAsset(fileName: string): { readonly asset: Asset; readonly isCurrent: boolean } | null {
  const [, colour] = /^colour-([0-9a-f]{6})-[0-9a-f]{16}\.css$/.exec(fileName) ?? [];
  if (colour !== undefined) {
    const found = colourStyle(`#${colour}`);
    return { asset: found, isCurrent: colourStylePath(`#${colour}`).endsWith(fileName) };
  }
  const [, stem, hash, ending] = /^([a-z]+)-([0-9a-f]{16})(\.[a-z]+)$/.exec(fileName) ?? [];
  const name = `${stem}${ending}`;
  const found = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  return found === undefined ? null : { asset: found, isCurrent: found.hash === hash };
}

// Helpers

function asset(contentType: string, content: string): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return { contentType, body: compressFile(content), hash };
}

/**
 * A style sheet without the spaces and semicolons that only people need. It has no strings with
 * such characters.
 */
function withoutSpace(style: string): string {
  return style
    .replaceAll(/\s*([{}])\s*/g, '$1')
    .replaceAll(/([:;,])\s+/g, '$1')
    .replaceAll(';}', '}');
}

function colourStyle(colour: string): Asset {
  return asset(CSS, brandStyle(colour));
}

function assetPathOf(name: string): string {
  const [stem, ending] = name.split('.');
  return `checkout/assets/${stem}-${ASSETS[name]?.hash}.${ending}`;
}
