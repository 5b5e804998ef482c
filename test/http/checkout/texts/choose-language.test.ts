import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, LANGUAGES } from '../../../../src/http/checkout/languages/choose-language.ts';
import { assertProperty, textOfAnyCharacters } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';

describe('the language of a response', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['de-CH-1996', 'de'],
    ['ja,pl;q=0.3', 'pl'],
    ['en;q=0.2, fr;q=0.8, es;q=0.8', 'fr'],
    ['fr;q=0,es;q=0.1', 'es'],
    ['fr; Q=0.4 , es ; q=0.5', 'es'],
    ['fr;q=many, es;q=0.1', 'es'],
    ['fr;q=2, es;q=0.1', 'es'],
    ['deu, fra', 'en'],
    ['ja, zh;q=0.9', 'en'],
    // Only the first thousand characters are read.
    [`${'x,'.repeat(500)}de`, 'en'],
  ])('to Accept-Language %j is %s', (acceptLanguage, language) => {
    expect(chooseLanguage({ lang: undefined, acceptLanguage })).toBe(language);
  });

  test.each([
    ['pl', 'pl'],
    ['fr-CA', 'fr'],
    ['xx', 'de'],
    ['', 'de'],
    ['<b>', 'de'],
    [['pl', 'fr'], 'de'],
    [undefined, 'de'],
  ])('with ?lang= %j is %s for a German browser', (lang, language) => {
    expect(chooseLanguage({ lang, acceptLanguage: 'de' })).toBe(language);
  });

  test('is always a supported one', () => {
    const anything = fc.oneof(textOfAnyCharacters(), fc.constantFrom('de;', ';q=', ',;,', 'q=1', 'es;q=0.0001'));
    assertProperty(
      fc.property(anything, fc.array(anything), (lang, ranges) => {
        expect(LANGUAGES).toContain(chooseLanguage({ lang, acceptLanguage: ranges.join(',') }));
      }),
      { numRuns: level.runs(100) },
    );
  });

  test('is the accepted one with the highest quality', () => {
    const wishes = fc.uniqueArray(
      fc.record({ language: fc.constantFrom(...LANGUAGES), q: fc.integer({ min: 1, max: 1_000 }) }),
      {
        minLength: 1,
        selector: ({ language }) => language,
      },
    );
    assertProperty(
      fc.property(wishes, (list) => {
        const acceptLanguage = list.map(({ language, q }) => `${language};q=${(q / 1_000).toFixed(3)}`).join(', ');
        const best = Math.max(...list.map(({ q }) => q));
        expect(chooseLanguage({ lang: undefined, acceptLanguage })).toBe(list.find(({ q }) => q === best)?.language);
      }),
      { numRuns: level.runs(100) },
    );
  });
});
