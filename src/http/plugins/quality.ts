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
