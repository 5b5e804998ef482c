import type { Finding } from './checker/violation.ts';

const SHOWN_PER_CHECK = 10;

/** The verdict as lines: a table of all checks, then the violations. */
export function verdictLines(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const rows = findings.map(({ check, cases, violations }) => {
    const verdict = violations.length === 0 ? 'holds' : `VIOLATED ${violations.length} times`;
    return `${check.padEnd(width)}  ${String(cases).padStart(7)}  ${verdict}`;
  });
  const wrong = findings.flatMap(({ check, violations }) => {
    if (violations.length === 0) return [];
    const more = violations.length - SHOWN_PER_CHECK;
    return [
      '',
      `${check}:`,
      ...violations.slice(0, SHOWN_PER_CHECK).map((each) => `  ${each}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
  return [`${'checked'.padEnd(width)}  ${'cases'.padStart(7)}`, ...rows, ...wrong];
}

export function isClean(findings: readonly Finding[]): boolean {
  return findings.every(({ violations }) => violations.length === 0);
}
