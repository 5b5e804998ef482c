import { isIP } from 'node:net';

/**
 * An IP address as the guard checks it: IPv6 forms that reach an IPv4 host are converted to IPv4.
 */
export interface Address {
  readonly family: 'ipv4' | 'ipv6';
  readonly text: string;
  /** IPv4 addresses that a relay or tunnel would derive from this IPv6 address. */
  readonly embedded: readonly string[];
}

/**
 * Parses an IP address. Converts to IPv4 the forms that reach the IPv4 host itself: IPv4-mapped
 * (RFC 4291, 2.5.5.2) and the well-known NAT64 prefix (RFC 6052). Null for anything else, and for
 * addresses with a zone, which names an interface of this machine.
 */
export function readAddress(text: string): Address | null {
  if (text.includes('%')) return null;
  const version = isIP(text);
  if (version === 4) return { family: 'ipv4', text, embedded: [] };
  if (version !== 6) return null;
  const groups = groupsOf(text);
  const carrier = PREFIXES_FOR_IPV4.find((prefix) => prefix.every((group, index) => groups[index] === group));
  if (carrier !== undefined) return { family: 'ipv4', text: ipv4Of(groups, 6), embedded: [] };
  return { family: 'ipv6', text, embedded: embeddedIn(groups) };
}

// Helpers

/** ::ffff:0:0/96 and 64:ff9b::/96. */
const PREFIXES_FOR_IPV4: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** The eight 16-bit groups of a valid IPv6 address. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const first = partsOf(head);
  if (tail === undefined) return first;
  const last = partsOf(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/**
 * The IPv4 address in the groups at `index` and after it, in dotted decimal. `mask` is XORed with
 * each group to undo obfuscation.
 */
function ipv4Of(groups: readonly number[], index: number, mask = 0): string {
  const [high = 0, low = 0] = groups.slice(index, index + 2).map((group) => group ^ mask);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function embeddedIn(groups: readonly number[]): string[] {
  const [first = 0, second = 0, third = 0] = groups;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  // 6to4 (RFC 3056).
  if (first === 0x2002) return [ipv4Of(groups, 1)];
  // Teredo (RFC 4380): the server address is plain, the client address inverted.
  if (first === 0x2001 && second === 0) return [ipv4Of(groups, 2), ipv4Of(groups, 6, 0xffff)];
  // NAT64 with an operator-chosen prefix (RFC 8215).
  if (first === 0x64 && second === 0xff9b && third === 1) return inLocalNat64(groups);
  // IPv4-compatible (RFC 4291, deprecated), except the special addresses :: and ::1.
  if (isZero(0, 6)) return groups[6] === 0 ? [] : [ipv4Of(groups, 6)];
  // IPv4-translated (RFC 2765).
  if (isZero(0, 4) && groups[4] === 0xffff && groups[5] === 0) return [ipv4Of(groups, 6)];
  // ISATAP (RFC 5214): IPv4 in the interface identifier, under any prefix.
  if (((groups[4] ?? 0) & 0xfdff) === 0 && groups[5] === 0x5efe) return [ipv4Of(groups, 6)];
  return [];
}

/**
 * The four places where RFC 6052 (section 2.2) embeds IPv4 after a prefix of 48, 56, 64 or 96 bits:
 * split around the octet of bits 64 to 71 with trailing zeros, or, usually, in the last 32 bits.
 */
function inLocalNat64(groups: readonly number[]): string[] {
  const octets = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const pieces = [
    [6, 7, 9, 10],
    [7, 9, 10, 11],
    [9, 10, 11, 12],
  ];
  const inPieces = pieces
    .filter((indices) => octets.slice((indices[3] ?? 0) + 1).every((octet) => octet === 0))
    .map((indices) => indices.map((at) => octets[at]).join('.'));
  return [ipv4Of(groups, 6), ...inPieces];
}
