import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCidr } from '../../../src/platform/config/index.ts';
import { readEndpointUrl } from '../../../src/webhooks/endpoint-url.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { PUBLIC_ONLY } from '../harness.ts';

const port = fc.oneof(
  fc.integer({ min: 0, max: 1_100 }),
  fc.integer({ min: 0, max: 65_535 }),
  fc.constantFrom(22, 25, 80, 443),
);

describe('the URL of a webhook endpoint', () => {
  test.each([
    ['https://shop.example/hooks?token=1', 'https://shop.example/hooks?token=1'],
    ['HTTPS://Shop.Example', 'https://shop.example/'],
    ['https://shop.example:8443/a/../b', 'https://shop.example:8443/b'],
    ['https://1.1.1.1/x', 'https://1.1.1.1/x'],
  ])('%s is accepted as %s', (text, href) => {
    expect(readEndpointUrl(text, PUBLIC_ONLY).href).toBe(href);
  });

  test.each([
    ['shop.example/hooks', 'write it like https://'],
    ['', 'write it like https://'],
    ['http://shop.example/', 'WEBHOOK_ALLOW_HTTP=true'],
    ['ftp://shop.example/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://user:pass@shop.example/', 'remove it'],
    ['https://user@shop.example/', 'remove it'],
    ['https://shop.example/#x', 'fragment'],
    ['https://shop.example/#', 'fragment'],
    ['https://127.0.0.1/', 'WEBHOOK_ALLOW_CIDRS'],
    ['https://[::1]/', 'WEBHOOK_ALLOW_CIDRS'],
    ['https://localhost/', 'WEBHOOK_ALLOW_CIDRS'],
    ['https://localhost./', 'WEBHOOK_ALLOW_CIDRS'],
    ['https://metadata.google.internal/', 'WEBHOOK_ALLOW_CIDRS'],
    ['https://printer.local/', 'WEBHOOK_ALLOW_CIDRS'],
    [`https://shop.example/${'x'.repeat(2_048)}`, '2048 characters'],
  ])('%s is rejected with the remedy', (text, remedy) => {
    let message = 'nothing was thrown';
    try {
      readEndpointUrl(text, PUBLIC_ONLY);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
      expect(error).toMatchObject({ code: 'INVALID_WEBHOOK_URL' });
    }
    expect(message).toContain(remedy);
  });

  test('below 1024 may only use ports 80, 443 and those the operator allows', () => {
    assertProperty(
      fc.property(port, fc.array(port, { maxLength: 3 }), (given, allowPorts) => {
        const urls = { ...PUBLIC_ONLY, allowHttp: true, allowPorts };
        for (const scheme of ['https', 'http']) {
          const read = () => readEndpointUrl(`${scheme}://shop.example:${given}/hook`, urls);
          const isTaken = given >= 1_024 || [80, 443, ...allowPorts].includes(given);
          if (isTaken) expect(read).not.toThrow();
          else expect(read).toThrow(/uses port \d+; use 80, 443 or one from 1024 up, .* WEBHOOK_ALLOW_PORTS/);
        }
      }),
    );
  });

  test('an error does not repeat what may be a secret of the merchant', () => {
    expect(() => readEndpointUrl('http://me:hunter2@shop.example/?token=abc', PUBLIC_ONLY)).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/hunter2|abc/) }),
    );
  });

  test('loopback is accepted over http where it is allowed, and nothing else is', () => {
    const urls = { ...PUBLIC_ONLY, allowLoopback: true };
    for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000', '127.8.9.1', '[::ffff:127.0.0.1]']) {
      for (const scheme of ['http', 'https']) {
        expect(readEndpointUrl(`${scheme}://${host}/`, urls).protocol).toBe(`${scheme}:`);
      }
    }
    for (const host of ['shop.example', '1.1.1.1', '10.0.0.1', '0.0.0.0', '[::]', 'localhost.example', 'a.localhost']) {
      expect(() => readEndpointUrl(`http://${host}/`, urls)).toThrow('WEBHOOK_ALLOW_HTTP');
    }
    for (const host of ['10.0.0.1', '0.0.0.0', '169.254.169.254', '[::]', 'a.localhost', 'printer.local']) {
      expect(() => readEndpointUrl(`https://${host}/`, urls)).toThrow('WEBHOOK_ALLOW_CIDRS');
    }
    expect(() => readEndpointUrl('http://127.0.0.1:22/', urls)).toThrow('WEBHOOK_ALLOW_PORTS');
  });

  test('private names are accepted where the operator has allowed private addresses, and http where that is allowed', () => {
    const block = parseCidr('10.0.0.0/8');
    const urls = { allowCidrs: block === null ? [] : [block], allowHttp: true, allowPorts: [] };
    expect(readEndpointUrl('http://erp.internal:8080/in', urls).host).toBe('erp.internal:8080');
    expect(readEndpointUrl('http://10.2.3.4/in', urls).host).toBe('10.2.3.4');
    expect(() => readEndpointUrl('http://192.168.0.1/', urls)).toThrow('not a public address');
  });
});
