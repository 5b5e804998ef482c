import fc from 'fast-check';
import { placeholder } from './placeholders.ts';
import type { Schema } from './schema.ts';

/** Texts that a string schema allows. Throws when none is found, instead of filtering for ever. */
export function textsOf(schema: Schema, where: string): fc.Arbitrary<string> {
  const isAllowed = allowedBy(schema);
  const ordinary = fc.constantFrom(...ORDINARY);
  const sources = [...sourcesOf(schema, where), ...(schema.format === undefined ? [ordinary, ordinary] : [])]
    .filter((source) => fc.sample(source, SAMPLE).filter(isAllowed).length > SAMPLE / 10)
    .map((source) => source.filter(isAllowed));
  if (sources.length > 0) return fc.oneof(...sources);
  throw new Error(
    `${where}: test/fuzz finds no text that matches ${JSON.stringify(schema)}; give it a source in texts.ts`,
  );
}

// Helpers

const SAMPLE = 100;
/** Upper bound of the growth when a placeholder is filled in. */
const ROOM_FOR_PLACEHOLDERS = 12;

/** Texts with a mark, by which every response that contains them is recognised. */
const MARKED = fc
  .tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20, unit: 'grapheme' }))
  .map(([before, after]) => `${before} ${placeholder.mark} ${after}`);

const ORDINARY = [
  '1',
  '25',
  '24.99',
  '2026-10-24',
  '2026-11-01',
  '2026-11-15T06:30Z',
  '2026-11-21T12:00:00Z',
  '2000-02-29T23:59:59.999999999+14:00',
  '0001-01-01',
  'LTC',
  'x',
];

function sourcesOf({ format, pattern, maxLength }: Schema, where: string): readonly fc.Arbitrary<string>[] {
  switch (format) {
    case undefined:
      break;
    case 'email':
      return [fc.nat({ max: 99 }).map((n) => `${placeholder.mark}+${n}@example.com`), fc.emailAddress()];
    case 'uri':
      return [
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.nat().map((n) => `https://shop.example.com/${placeholder.mark}?order=${n}#thanks`),
      ];
    case 'uuid':
      return [fc.uuid()];
    case 'date-time':
      return [fc.date({ noInvalidDate: true }).map((date) => date.toISOString())];
    default:
      throw new Error(`${where} has the format "${format}", which test/fuzz does not generate: teach it in texts.ts`);
  }
  const matching = pattern === undefined ? [] : matchingOf(pattern);
  const long = maxLength === undefined ? [] : [fc.constant('x'.repeat(maxLength))];
  return [MARKED, fc.string({ unit: 'grapheme' }), ...matching, ...long];
}

/** fast-check does not support every pattern; then the other sources are filtered by it. */
function matchingOf(pattern: string): fc.Arbitrary<string>[] {
  try {
    const matching = fc.stringMatching(new RegExp(pattern, 'u'));
    fc.sample(matching, 1);
    return [matching];
  } catch {
    return [];
  }
}

function allowedBy({ minLength = 0, maxLength, pattern }: Schema): (text: string) => boolean {
  const expression = pattern === undefined ? /^/ : new RegExp(pattern, 'u');
  return (text) => {
    const length = Array.from(text).length;
    const longest = text.includes('{{') ? length + ROOM_FOR_PLACEHOLDERS : length;
    return length >= minLength && longest <= (maxLength ?? Number.POSITIVE_INFINITY) && expression.test(text);
  };
}
