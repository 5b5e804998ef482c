import { expect, test } from 'vitest';
import {
  directionProblem,
  escapeHtml,
  isPrintable,
  isStorable,
  printable,
  requireCustomerText,
} from '../../src/platform/text.ts';

test.each([
  ['a tab, a line break and an emoji', '\t\n🍵', true, false],
  ['NUL', 'a\u0000b', false, false],
  ['half of an emoji', '\ud83c', false, false],
  ['an escape character', '\u001b[31m', true, false],
  ['words', 'Tea & Co. – 茶', true, true],
])('%s can be stored and printed as expected', (_, text, storable, printable) => {
  expect([isStorable(text), isPrintable(text)]).toEqual([storable, printable]);
});

test('what could control a terminal or reorder a line is replaced', () => {
  expect(printable('Tea\u001b[2J \u009b1m 茶\u202egnp\u0000🍵\ud83c')).toBe(
    'Tea\ufffd[2J \ufffd1m 茶\ufffdgnp\ufffd🍵\ufffd',
  );
});

const DIRECTIONS = Array.from(
  '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  (character) => [character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'), character] as const,
);

test.each(DIRECTIONS)('a text for customers must not contain U+%s', (name, character) => {
  expect(() => requireCustomerText(`Tea${character}pot`, 'title')).toThrow(
    `title must not contain U+${name}, which changes the direction of text; remove this invisible character`,
  );
});

test.each(['Tea & Co. – 茶', 'חנות תה (חדשה) 24', 'متجر الشاي ١٢', '👩‍🍳 Pie', 'می‌خواهم'])('%s is allowed', (text) => {
  expect(directionProblem(text)).toBeNull();
});

test('the five special characters of HTML are escaped once', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  );
});
