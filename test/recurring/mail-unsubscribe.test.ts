import { describe, expect, test } from 'vitest';
import { unsubscribeHeaders } from '../../src/recurring/email-templates/unsubscribe.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

describe('unsubscribeHeaders', () => {
  test('offers a link and one-click unsubscribe, as in section 8.1 of RFC 8058', () => {
    expect(unsubscribeHeaders(`https://pay.example/recurring/stop/${TOKEN}`)).toEqual({
      'List-Unsubscribe': `<https://pay.example/recurring/stop/${TOKEN}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  test('rule 47: offers no one-click unsubscribe without https, which RFC 8058 requires', () => {
    expect(unsubscribeHeaders(`http://127.0.0.1:8080/recurring/stop/${TOKEN}`)).toEqual({
      'List-Unsubscribe': `<http://127.0.0.1:8080/recurring/stop/${TOKEN}>`,
    });
  });

  test('lets no address end the header early', () => {
    const headers = unsubscribeHeaders(`https://pay.example/a>,<mailto:eve@example.com>\r\nBcc: eve@example.com`);
    expect(headers['List-Unsubscribe']).toMatch(/^<[\x21-\x3b\x3d\x3f-\x7e]+>$/);
  });

  test.each(['', '/recurring/stop/1', 'mailto:stop@example.com', 'javascript:alert(1)'])('rejects %o', (url) => {
    expect(() => unsubscribeHeaders(url)).toThrow(TypeError);
  });
});
