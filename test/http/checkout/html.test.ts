import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, httpUrlOf, markupOf } from '../../../src/http/checkout/html.ts';
import { escapeHtml } from '../../../src/platform/text.ts';
import { assertProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

test('template text has all special HTML characters escaped', () => {
  assertProperty(
    fc.property(textOfAnyCharacters(), (text) => {
      const markup = markupOf(html`<p title="${text}">${text}</p>`);
      const [, attribute, content] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(markup) ?? [];
      expect(attribute).toBe(content);
      expect(content).not.toMatch(/[<>"']/);
      expect(content?.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => REFERENCES[name] ?? '')).toBe(text);
      expect(content?.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});

test('markup of the tag is inserted unescaped, also in lists, and null renders nothing', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(markupOf(html`<ul>${items}</ul>${null}${7}`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>7');
});

test('data that imitates markup of the tag is escaped', () => {
  const forged: unknown = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}');
  expect(() => html`<p>${forged as string}</p>`).not.toThrow();
  expect(markupOf(html`<p>${forged as string}</p>`)).not.toContain('<script>');
});

test('text is escaped once, so that entities in it stay visible', () => {
  expect(escapeHtml('&lt; &amp; "\'')).toBe('&amp;lt; &amp;amp; &quot;&#39;');
});

test.each([
  ['https://shop.example/thanks?a=1&b=2', 'https://shop.example/thanks?a=1&b=2'],
  ['http://shop.example', 'http://shop.example/'],
  ['javascript:alert(1)', null],
  [' JaVaScRiPt:alert(1)', null],
  ['java\nscript:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['/relative', null],
  ['//shop.example', null],
  ['', null],
  [null, null],
])('for the address %j the page links to %j', (text, link) => {
  expect(httpUrlOf(text)).toBe(link);
});
