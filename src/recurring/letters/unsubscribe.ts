/**
 * Headers by which mail programs offer to end such mails: `List-Unsubscribe` (RFC 2369) for a person, and for one click of
 * theirs `List-Unsubscribe-Post` (RFC 8058), which makes the program POST to the address without asking further. One click needs
 * https (RFC 8058, section 3.1), so without it the second header is left out. Throws `TypeError` for what is no web address.
 */
export function unsubscribeHeaders(stopUrl: string): Readonly<Record<string, string>> {
  const url = URL.parse(stopUrl);
  if (url === null || !(url.protocol === 'https:' || url.protocol === 'http:')) {
    throw new TypeError('the address that ends mails must be an absolute http(s) address');
  }
  // The normal form has no blanks, line breaks or angle brackets that could end the header early.
  const listed = { 'List-Unsubscribe': `<${url.href}>` };
  return url.protocol === 'https:' ? { ...listed, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : listed;
}
