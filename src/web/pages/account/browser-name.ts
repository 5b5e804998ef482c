/**
 * A browser's user agent in words, like `Firefox on Linux`. An unknown one is returned unchanged.
 */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser';
  const [name, system] = [firstIn(BROWSERS, userAgent), firstIn(SYSTEMS, userAgent)];
  if (name === undefined) return userAgent;
  return system === undefined ? name : `${name} on ${system}`;
}

// Helpers

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/**
 * Most user agents name the browsers they are compatible with as well, so the first match counts.
 */
const BROWSERS: Names = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\biPad\b/, 'iPad'],
  [/\biP(?:hone|od)\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

function firstIn(names: Names, userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
