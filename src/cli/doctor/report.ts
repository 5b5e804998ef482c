import { scrubText } from '../../platform/log.ts';
import type { Reported } from './run-checks.ts';

/** Redacts secrets from findings, whichever message they came from. */
export function cleaned(found: readonly Reported[], secrets: readonly string[]): Reported[] {
  const clean = (text: string) => scrubText(secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text));
  return found.map(({ check, level, text, remedy }) => {
    // Remedies are our own text, and a password may be a word that occurs in them.
    return { check, level, text: clean(text), remedy: remedy === null ? null : scrubText(remedy) };
  });
}

/** One line per finding with its remedy below, and totals at the end. */
export function reportText(found: readonly Reported[]): string {
  const width = Math.max(...found.map(({ check }) => check.length));
  const lines = found.flatMap(({ check, level, text, remedy }) => [
    `${level.padEnd(7)}  ${check.padEnd(width)}  ${text}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 11)}→ ${remedy}`]),
  ]);
  return [...lines, '', summaryOf(found)].join('\n');
}

export function countOf(found: readonly Reported[], level: Reported['level']): number {
  return found.filter((each) => each.level === level).length;
}

// Helpers

const HIDDEN = '[redacted]';

function summaryOf(found: readonly Reported[]): string {
  const [problems, warnings] = [countOf(found, 'problem'), countOf(found, 'warning')];
  if (problems + warnings === 0) return `All checks passed (${found.length}).`;
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}, ${countOf(found, 'ok')} ok.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
