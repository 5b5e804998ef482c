/**
 * Whether whoever asks would rather have a page than JSON (RFC 9110, 12.5.1). Browsers name HTML; programs name JSON, or take
 * anything, and get JSON then. When both are named alike it is a browser: it can show both, a person reads one.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const html = Math.max(weightOf(accept, 'text/html'), weightOf(accept, 'application/xhtml+xml'));
  return html > 0 && html >= weightOf(accept, 'application/json');
}

// Helpers

/** The largest weight a type is named with, 0 when it is not named. Wildcards name nothing. */
function weightOf(accept: string | undefined, type: string): number {
  const weights = (accept ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === type ? qualityOf(parameters) : 0;
  });
  return Math.max(...weights);
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  const text = quality.slice(2).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
