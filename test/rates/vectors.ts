import { readFileSync } from 'node:fs';
import { medianPrice, type Quotes } from '../../src/rates/index.ts';

/** A response from `test/vectors/rates`; its README defines the fields. */
export interface ResponseVector {
  readonly name: string;
  readonly origin: 'recorded' | 'documented' | 'built';
  readonly source: string;
  readonly status: number;
  readonly body: string;
  readonly quotes: Quotes | null | 'unlisted';
  readonly day?: string;
}

export function responsesOf(source: string): readonly ResponseVector[] {
  const file: { readonly entries: readonly ResponseVector[] } = JSON.parse(
    readFileSync(new URL(`../vectors/rates/${source}.json`, import.meta.url), 'utf8'),
  );
  return file.entries;
}

/** The response whose name starts with `name`. */
export function responseOf(source: string, name: string): ResponseVector {
  const found = responsesOf(source).find((response) => response.name.startsWith(name));
  if (found === undefined) throw new Error(`test/vectors/rates/${source}.json has no response named ${name}`);
  return found;
}

/** The quotes expected from a good answer. */
export function quotesOf({ name, quotes }: ResponseVector): Readonly<Record<string, string>> {
  if (quotes === null || quotes === 'unlisted') throw new Error(`${name} quotes nothing`);
  return Object.fromEntries(Object.entries(quotes));
}

/** Quotes with the 15 significant digits that a rate keeps. */
export function asRates(quotes: Quotes): Quotes {
  return Object.fromEntries(
    Object.entries(quotes).map(([symbol, usd]) => [symbol, medianPrice([{ source: 'only', usd }])?.usd]),
  );
}
