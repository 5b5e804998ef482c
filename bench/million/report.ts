import { print } from '../support/print.ts';
import type { RoleProcess } from '../support/processes/role.ts';

/** Prints whether a claim holds; a claim that does not makes the bench exit 1. */
export function check(what: string, holds: boolean, figure: string): void {
  print(`${holds ? 'holds' : 'DOES NOT HOLD'}: ${what} ${figure}`);
  if (!holds) process.exitCode = 1;
}

export const show = (value: number) => Math.round(value).toLocaleString('en-US');
export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
export const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

/** Resident memory after a garbage collection. */
export async function resident(process: RoleProcess): Promise<string> {
  return megabytes((await process.read({ collect: true })).residentBytes);
}

const PLOT_ROWS = 12;
const PLOT_COLUMNS = 60;

/** How many windows have expired, some time after they ended. */
export interface CurvePoint {
  readonly ms: number;
  readonly expired: number;
}

/** A bar chart in text; empty when nothing expired. */
export function plot(curve: readonly CurvePoint[]): string {
  const end = curve.at(-1);
  if (end === undefined || end.expired === 0) return '';
  const lines: string[] = [];
  for (let row = 1; row <= PLOT_ROWS; row += 1) {
    const at = (end.ms * row) / PLOT_ROWS;
    const expired = curve.filter(({ ms }) => ms <= at).at(-1)?.expired ?? 0;
    lines.push(
      `${seconds(at).padStart(8)} ${'#'.repeat(Math.round((PLOT_COLUMNS * expired) / end.expired))} ${show(expired)}`,
    );
  }
  return lines.join('\n');
}
