/**
 * The weight `q` among the parameters of an `Accept…` header (RFC 9110, 12.4.2): 1 by default, and
 * 0, meaning not acceptable, when it is malformed.
 */
export function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
  if (quality === undefined) return 1;
  const [, digits] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(quality) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/**
 * Whether the client prefers a page to JSON (RFC 9110, 12.5.1). Browsers list HTML; programs
 * list JSON or accept anything, and get JSON. With equal weights it is treated as a browser,
 * since a person reads pages.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const html = Math.max(weightOf(accept, 'text/html'), weightOf(accept, 'application/xhtml+xml'));
  return html > 0 && html >= weightOf(accept, 'application/json');
}

// Helpers

/** The highest weight of a media type, 0 when it is not listed. Wildcards are ignored. */
function weightOf(accept: string | undefined, type: string): number {
  const weights = (accept ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === type ? qualityOf(parameters) : 0;
  });
  return Math.max(...weights);
}
