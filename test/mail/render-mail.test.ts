import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Letter, renderMail } from '../../src/mail/index.ts';
import { assertProperty } from '../support/fast-check.ts';

const LETTER: Letter = {
  to: 'Zoë & Söhne',
  subject: 'A <subject>',
  blocks: [
    { kind: 'paragraph', text: 'One paragraph.' },
    { kind: 'facts', facts: [['Last failure', 'status: "500" <b>bold</b>\nBcc: x']] },
  ],
  footer: 'Because of this & that.',
};

describe('renderMail', () => {
  test('says the same in text and HTML, speaks to somebody, and keeps a fact on its line', () => {
    const { subject, text, html } = renderMail(LETTER);
    expect(subject).toBe('A <subject>');
    expect(text).toBe(
      'Hello Zoë & Söhne,\n\nOne paragraph.\n\nLast failure: status: "500" <b>bold</b> Bcc: x\n\n--\nBecause of this & that.\n',
    );
    for (const part of ['Hello Zoë &amp; Söhne,', '&quot;500&quot; &lt;b&gt;bold&lt;/b&gt;', 'this &amp; that.']) {
      expect(html).toContain(part);
    }
    expect(html).toContain('<title>A &lt;subject&gt;</title>');
  });

  test('lets no text become markup or a header', () => {
    const tagsOf = (html: string) => html.match(/<[^>]*>/g);
    const words = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '\n', '\r', 'a', ' ') });
    const plain = tagsOf(renderMail({ ...LETTER, blocks: LETTER.blocks }).html);
    assertProperty(
      fc.property(words, words, words, (to, text, value) => {
        const blocks: Letter['blocks'] = [
          { kind: 'paragraph', text },
          { kind: 'facts', facts: [[text, value]] },
        ];
        const rendered = renderMail({ to, subject: value, blocks, footer: text });
        expect(tagsOf(rendered.html)).toEqual(plain);
        expect(rendered.subject).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
