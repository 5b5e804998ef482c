import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EmailContent, renderEmail } from '../../src/mail/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const LETTER: EmailContent = {
  to: 'Zoë & Söhne',
  subject: 'A <subject>',
  blocks: [
    { kind: 'paragraph', text: 'One paragraph.' },
    { kind: 'details', details: [['Last failure', 'status: "500" <b>bold</b>\nBcc: x']] },
  ],
  footer: 'Because of this & that.',
};

describe('renderEmail', () => {
  test('writes the same in text and HTML, greets the recipient by name, and keeps a fact on its line', () => {
    const { subject, text, html } = renderEmail(LETTER);
    expect(subject).toBe('A <subject>');
    expect(text).toBe(
      'Hello Zoë & Söhne,\n\nOne paragraph.\n\nLast failure: status: "500" <b>bold</b> Bcc: x\n\n--\nBecause of this & that.\n',
    );
    for (const part of ['Hello Zoë &amp; Söhne,', '&quot;500&quot; &lt;b&gt;bold&lt;/b&gt;', 'this &amp; that.']) {
      expect(html).toContain(part);
    }
    expect(html).toContain('<title>A &lt;subject&gt;</title>');
  });

  test('renders a button with its URL, and greets without a name', () => {
    const url = 'https://pay.example/recurring/confirm/0123456789abcdef0123456789abcdef';
    const stop = { text: 'Get no more of these', url: 'https://pay.example/recurring/stop/1?a=b&c="d"' };
    const { text, html } = renderEmail({
      ...LETTER,
      to: null,
      blocks: [{ kind: 'link', text: 'Look at\nthe request', url }],
      footer: { text: 'Sent for Tea & Co.', link: stop },
    });
    expect(text).toBe(
      `Hello,\n\nLook at the request:\n${url}\n\n--\nSent for Tea & Co.\nGet no more of these:\nhttps://pay.example/recurring/stop/1?a=b&c=%22d%22\n`,
    );
    expect(html).toContain('<p>Hello,</p>');
    expect(html.match(new RegExp(`<a href="${url}"`, 'g'))).toHaveLength(1);
    expect(html).toContain(`>${url}</span>`);
    expect(html).toContain('<a href="https://pay.example/recurring/stop/1?a=b&amp;c=%22d%22"');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://pay.example/x', '/recurring/stop/1', '', 'https://'])(
    'links to web pages only, not to %s',
    (url) => {
      const link = { text: 'Go', url };
      expect(() => renderEmail({ ...LETTER, blocks: [{ kind: 'link', ...link }] })).toThrow(TypeError);
      expect(() => renderEmail({ ...LETTER, footer: { text: 'Why', link } })).toThrow(TypeError);
    },
  );

  test('lets no text become markup or a header', () => {
    const tagsOf = (html: string) => html.match(/<[^>]*>/g);
    const words = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '\n', '\r', 'a', ' ') });
    const link = { text: 'Go', url: 'https://pay.example/' };
    const shape: EmailContent['blocks'] = [...LETTER.blocks, { kind: 'link', ...link }];
    const plain = tagsOf(renderEmail({ ...LETTER, blocks: shape, footer: { text: 'Why', link } }).html);
    assertProperty(
      fc.property(words, words, words, (to, text, value) => {
        const blocks: EmailContent['blocks'] = [
          { kind: 'paragraph', text },
          { kind: 'details', details: [[text, value]] },
          { kind: 'link', ...link, text: value },
        ];
        const rendered = renderEmail({ to, subject: value, blocks, footer: { text, link: { ...link, text: to } } });
        expect(tagsOf(rendered.html)).toEqual(plain);
        expect(rendered.subject).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
