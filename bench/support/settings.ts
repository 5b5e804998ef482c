type Defaults = Readonly<Record<`BENCH_${string}`, number | string>>;

/**
 * The settings of a bench: environment variables with these defaults. With `--help`, prints what
 * the bench measures and its settings, and measures nothing. Throws for a value that should be a
 * number and is not.
 */
export function readSettings<const T extends Defaults>(
  about: string,
  defaults: T,
): { readonly [K in keyof T]: T[K] extends number ? number : string } {
  if (process.argv[2] === '--help') {
    const lines = Object.entries(defaults).map(([name, value]) => `  ${name}=${value}\n`);
    process.stdout.write(`${about}\n\nSettings, with their defaults:\n${lines.join('')}`);
    process.exit(0);
  }
  const entries = Object.entries(defaults).map(([name, value]) => [name, settingOf(name, value)]);
  return Object.fromEntries(entries) as ReturnType<typeof readSettings<T>>;
}

// Helpers

function settingOf(name: string, byDefault: number | string): number | string {
  const text = process.env[name] || String(byDefault);
  if (typeof byDefault === 'string') return text;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${name} must be a number that is not negative, got "${text}"`);
}
