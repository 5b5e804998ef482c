/**
 * Names without a dot, and the suffixes reserved for private use (RFC 6761, RFC 6762, ICANN's
 * .internal).
 */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa|localdomain)$/.test(name);
}
