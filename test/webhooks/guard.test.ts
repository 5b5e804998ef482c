import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cidr, parseCidr } from '../../src/platform/config/index.ts';
import { readEndpointUrl } from '../../src/webhooks/endpoint-url.ts';
import { createAddressGuard } from '../../src/webhooks/guard/address-guard.ts';
import { createOwnAddresses, ownAddresses } from '../../src/webhooks/guard/own-addresses.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Ipv4 = readonly [number, number, number, number];

/** From the IANA registry of special-purpose IPv4 addresses, as first and last address. */
const SPECIAL: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];
const RANGES = SPECIAL.map(([first, last]) => [numberOf(first), numberOf(last)] as const);
/** Public, yet a service of the cloud that hosts the machine. */
const AZURE = numberOf('168.63.129.16');

const specialIpv4 = fc.constantFrom(...RANGES).chain(([min, max]) => {
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max })).map(ipv4Of);
});
const publicIpv4 = fc
  .integer({ min: 0, max: 0xff_ff_ff_ff })
  .filter((number) => number !== AZURE && !RANGES.some(([min, max]) => number >= min && number <= max))
  .map(ipv4Of);
const group = fc.integer({ min: 0, max: 0xffff });

/** Every way to write an IPv4 address in a URL. */
const SPELLINGS: readonly ((ip: Ipv4) => string)[] = [
  (ip) => ip.join('.'),
  (ip) => `${ip.join('.')}.`,
  (ip) => String(join32(ip)),
  (ip) => `0x${join32(ip).toString(16)}`,
  (ip) => `0${join32(ip).toString(8)}`,
  (ip) => ip.map((part) => `0x${part.toString(16)}`).join('.'),
  (ip) => ip.map((part) => `0${part.toString(8)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a, b, c, d]) => `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
  (ip) =>
    ip
      .join('.')
      .split('')
      .map((letter) => (letter === '.' ? '。' : String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)))
      .join(''),
];

/** Every IPv6 form that embeds an IPv4 address which some system unpacks, as eight groups. */
const CARRIERS: readonly ((ip: Ipv4, random: readonly number[]) => number[])[] = [
  (ip) => [0, 0, 0, 0, 0, 0xffff, ...pairs(ip)],
  (ip) => [0, 0, 0, 0, 0, 0, ...pairs(ip)],
  (ip) => [0, 0, 0, 0, 0xffff, 0, ...pairs(ip)],
  (ip) => [0x64, 0xff9b, 0, 0, 0, 0, ...pairs(ip)],
  (ip, [a = 0, b = 0, c = 0]) => [0x64, 0xff9b, 1, a, b, c, ...pairs(ip)],
  ([a, b, c, d]) => [0x64, 0xff9b, 1, a * 256 + b, c, d * 256, 0, 0],
  ([a, b, c, d], [e = 0]) => [0x64, 0xff9b, 1, (e & 0xff00) + a, b, c * 256 + d, 0, 0],
  ([a, b, c, d], [e = 0]) => [0x64, 0xff9b, 1, e, a, b * 256 + c, d * 256, 0],
  (ip, [a = 0, b = 0, c = 0, d = 0, e = 0]) => [0x2002, ...pairs(ip), a, b, c, d, e],
  (ip, [a = 0, b = 0, c = 0, d = 0]) => [0x2001, 0, ...pairs(ip), a, b, c, d],
  (ip, [a = 0, b = 0, c = 0, d = 0]) => [0x2001, 0, a, b, c, d, ...pairs(ip).map((each) => each ^ 0xffff)],
  (ip, [a = 0, b = 0, c = 0]) => [0x2600 + (a & 0xff), a, b, c, 0, 0x5efe, ...pairs(ip)],
  (ip, [a = 0, b = 0, c = 0]) => [0x2600 + (a & 0xff), a, b, c, 0x200, 0x5efe, ...pairs(ip)],
];

describe('the guard against requests to the own network', () => {
  test('no notation of a special IPv4 address is accepted in a webhook URL', () => {
    const everything = { allowCidrs: [], allowHttp: true, allowPorts: [] };
    assertProperty(
      fc.property(specialIpv4, fc.constantFrom(...SPELLINGS), fc.constantFrom('http', 'https'), (ip, spell, scheme) => {
        const url = `${scheme}://${spell(ip)}:8443/hook`;
        expect(() => readEndpointUrl(url, everything), url).toThrow(/is not a public address|is not a URL/);
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  test('no IPv6 form that contains a special IPv4 address is allowed, in any notation', () => {
    assertProperty(
      fc.property(
        specialIpv4,
        fc.constantFrom(...CARRIERS),
        fc.array(group, { minLength: 5, maxLength: 5 }),
        (ip, carry, random) => {
          for (const text of textsOf(carry(ip, random))) {
            expect(isForbiddenAddress(text, []), text).toBe(true);
            expect(
              () => readEndpointUrl(`https://[${text}]/`, { allowCidrs: [], allowHttp: false, allowPorts: [] }),
              text,
            ).toThrow();
          }
        },
      ),
      { numRuns: level.runs(2_000) },
    );
  });

  test('public IPv4 addresses are allowed, also mapped into IPv6 and behind NAT64', () => {
    assertProperty(
      fc.property(publicIpv4, (ip) => {
        expect(isForbiddenAddress(ip.join('.'), [])).toBe(false);
        expect(isForbiddenAddress(`::ffff:${ip.join('.')}`, [])).toBe(false);
        expect(isForbiddenAddress(`64:ff9b::${ip.join('.')}`, [])).toBe(false);
      }),
      { numRuns: level.runs(1_000) },
    );
  });

  test.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:830::200e'])('%s is allowed', (ip) => {
    expect(isForbiddenAddress(ip, [])).toBe(false);
  });

  test.each([
    '::',
    '::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
    '3fff::1',
    '5f00::1',
    '100::1',
    '4000::1',
    'fe80::1%eth0',
    '2606:4700::1%1',
  ])('%s, which is not the public Internet, is rejected', (ip) => {
    expect(isForbiddenAddress(ip, [])).toBe(true);
  });

  test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '[::1]', '0x7f.1', '1.2.3.4 '])(
    '%j, which is not an address, is rejected',
    (text) => {
      expect(isForbiddenAddress(text, cidrs('0.0.0.0/0', '::/0'))).toBe(true);
    },
  );

  test('an allowed block permits its addresses in every form that reaches them, and no others', () => {
    const allowed = cidrs('10.1.0.0/16', 'fd00:1::/32', '127.0.0.1', '::1');
    for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd00:1::5', '127.0.0.1', '::1']) {
      expect(isForbiddenAddress(ip, allowed), ip).toBe(false);
    }
    for (const ip of ['10.2.0.1', '::ffff:10.2.0.1', 'fd00:2::1', '127.0.0.2', '2002:a01:203::1', '::10.1.2.3']) {
      expect(isForbiddenAddress(ip, allowed), ip).toBe(true);
    }
  });

  test('addresses of this host stay forbidden whatever is allowed, in every form that reaches them', () => {
    const interfaces = {
      lo: [netInterface('127.0.0.1', 'IPv4', true), netInterface('::1', 'IPv6', true)],
      eth0: [
        netInterface('93.184.216.34', 'IPv4'),
        netInterface('2606:4700:1::7', 'IPv6'),
        netInterface('10.1.0.5', 'IPv4'),
      ],
    };
    const isForbidden = createAddressGuard(cidrs('0.0.0.0/0', '::/0', '10.1.0.0/16'), () => ownAddresses(interfaces));
    for (const ip of ['93.184.216.34', '10.1.0.5']) {
      const forms = CARRIERS.map((carry) => carry(ipv4Of(numberOf(ip)), [1, 2, 3, 4, 5]));
      for (const text of [ip, ...forms.flatMap(textsOf)]) expect(isForbidden(text), text).toBe(true);
    }
    for (const text of textsOf([0x2606, 0x4700, 1, 0, 0, 0, 0, 7])) expect(isForbidden(text), text).toBe(true);
    for (const ip of ['93.184.216.35', '10.1.0.6', '2606:4700:1::8']) expect(isForbidden(ip), ip).toBe(false);
    // From the kernel's interfaces: a webhook to any of them would reach a service on this machine.
    const everything = cidrs('0.0.0.0/0', '::/0');
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address } of own) expect(isForbiddenAddress(address, everything), address).toBe(true);
  });

  test('forbids a new address of this host after a second, and allows one it no longer has', () => {
    let now = 0;
    let address = '93.184.216.34';
    const own = createOwnAddresses(
      () => ownAddresses({ eth0: [netInterface(address, 'IPv4')] }),
      () => now,
    );
    const isForbidden = createAddressGuard(cidrs('0.0.0.0/0'), own);
    expect(isForbidden('93.184.216.34')).toBe(true);
    address = '93.184.216.35';
    now = 1_000;
    expect(['93.184.216.34', '93.184.216.35'].map(isForbidden)).toEqual([false, true]);
  });

  test('loopback is allowed by a block within it, and by no larger one', () => {
    for (const block of ['0.0.0.0/0', '126.0.0.0/7', '::/0', '::/127', '::ffff:0:0/96']) {
      for (const ip of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
        expect(isForbiddenAddress(ip, cidrs(block)), `${ip} with ${block}`).toBe(true);
      }
    }
    expect(isForbiddenAddress('127.8.9.1', cidrs('127.0.0.0/8'))).toBe(false);
    expect(isForbiddenAddress('127.8.9.1', cidrs('127.0.0.0/24'))).toBe(true);
  });

  test('metadata services and link-local neighbours stay forbidden whatever is allowed', () => {
    const everything = cidrs('0.0.0.0/0', '::/0');
    const closed = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', '0.0.0.0'];
    for (const ip of closed) {
      const parts = ip.split('.').map(Number) as unknown as Ipv4;
      const forms = CARRIERS.map((carry) => carry(parts, [1, 2, 3, 4, 5])).filter(
        ([a, b]) => !(a === 0 && b === 0 && ip === '0.0.0.0'),
      );
      for (const text of [ip, ...forms.flatMap(textsOf)]) expect(isForbiddenAddress(text, everything), text).toBe(true);
    }
    for (const ip of ['fe80::1', 'fd00:ec2::254', 'fd20:ce::254', '::', 'ff02::1', '224.0.0.1', '255.255.255.255']) {
      expect(isForbiddenAddress(ip, everything), ip).toBe(true);
    }
  });
});

// Helpers

function isForbiddenAddress(ip: string, allowedCidrs: readonly Cidr[]): boolean {
  return createAddressGuard(allowedCidrs)(ip);
}

function netInterface(address: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo {
  const rest = { address, netmask: '', mac: '00:00:00:00:00:00', internal, cidr: null };
  return family === 'IPv4' ? { ...rest, family } : { ...rest, family, scopeid: 0 };
}

function cidrs(...texts: string[]): Cidr[] {
  return texts.map((text) => {
    const parsed = parseCidr(text);
    if (parsed === null) throw new Error(`${text} is no address block`);
    return parsed;
  });
}

function numberOf(ip: string): number {
  return join32(ip.split('.').map(Number) as unknown as Ipv4);
}

function join32([a, b, c, d]: Ipv4): number {
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

function ipv4Of(number: number): Ipv4 {
  return [(number >>> 24) & 255, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
}

function pairs([a, b, c, d]: Ipv4): [number, number] {
  return [a * 256 + b, c * 256 + d];
}

/** One address in full, shortened, in capitals, with leading zeros, ending in dotted decimals. */
function textsOf(groups: readonly number[]): string[] {
  const hex = groups.map((each) => each.toString(16));
  const short = new URL(`http://[${hex.join(':')}]/`).hostname.slice(1, -1);
  const [high = 0, low = 0] = groups.slice(6);
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const padded = hex.map((each) => each.padStart(4, '0')).join(':');
  return [hex.join(':'), short, short.toUpperCase(), padded, `${hex.slice(0, 6).join(':')}:${dotted}`];
}
