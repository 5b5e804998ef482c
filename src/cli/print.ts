import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../../machines/index.ts';
import { printable } from '../platform/text.ts';

/** Writes one or more lines to standard output. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Writes a result: as JSON with base units as decimal strings, or as text. Customers, merchants,
 * nodes and mail servers write parts of it, so the text is made printable.
 */
export function printResult(asJson: boolean, result: unknown, text: () => string): void {
  printLine(
    asJson
      ? JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)
      : text().split('\n').map(printable).join('\n'),
  );
}

/** A table with headings; each column is as wide as its widest cell. */
export function tableText(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) => {
    return Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0));
  });
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A time as ISO 8601 in UTC, to the second. */
export function timeText(moment: UnixMs | null): string | null {
  return moment === null ? null : new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A duration in its largest unit, rounded down. */
export function durationText(ms: number): string {
  const [unitMs, unit] = UNITS.find(([unitMs]) => ms >= unitMs) ?? [SECOND_MS, 's'];
  return `${Math.floor(ms / unitMs)} ${unit}`;
}

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
] as const;
