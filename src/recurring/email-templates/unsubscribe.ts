/**
 * Headers that let email clients offer to unsubscribe: `List-Unsubscribe` (RFC 2369) for a link,
 * and `List-Unsubscribe-Post` (RFC 8058) for one click, with which the client sends a POST to the
 * URL without further confirmation. One click requires https (RFC 8058, section 3.1), so without it
 * the second header is omitted. Throws `TypeError` for anything that is not a web address.
 */
export function unsubscribeHeaders(stopUrl: string): Readonly<Record<string, string>> {
  const url = URL.parse(stopUrl);
  if (url === null || !(url.protocol === 'https:' || url.protocol === 'http:')) {
    throw new TypeError('the unsubscribe URL must be an absolute http(s) URL');
  }
  // The normalised URL has no spaces, line breaks or angle brackets that could end the header.
  const listed = { 'List-Unsubscribe': `<${url.href}>` };
  return url.protocol === 'https:' ? { ...listed, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : listed;
}
