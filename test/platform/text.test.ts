import { expect, test } from 'vitest';
import { escapeHtml, isPrintable, isStorable } from '../../src/platform/text.ts';

test.each([
  ['a tab, a line break and an emoji', '\t\n🍵', true, false],
  ['NUL', 'a\u0000b', false, false],
  ['half of an emoji', '\ud83c', false, false],
  ['an escape character', '\u001b[31m', true, false],
  ['words', 'Tea & Co. – 茶', true, true],
])('%s can be stored and printed as expected', (_, text, storable, printable) => {
  expect([isStorable(text), isPrintable(text)]).toEqual([storable, printable]);
});

test('the five special characters of HTML are escaped once', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  );
});
