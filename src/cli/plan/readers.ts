import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import { PLAN_TIERS } from '../../merchants/index.ts';
import { asOneOf, required } from '../options.ts';

/**
 * Option readers of the plan commands. The problem passed to `reject` completes a sentence that
 * begins with the option.
 */
type Reject = (problem: string) => never;

/** A number or none, as in the cells of a price list. */
export interface Cell {
  readonly value: number | null;
}

/** USD like `29` or `29.90`, in cents; `custom` for a price agreed individually. */
export function asPriceCents(text: string, reject: Reject): Cell {
  if (text === 'custom') return { value: null };
  const [, dollars, cents = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (dollars === undefined) return reject('must be USD like 29 or 29.90, or "custom"');
  return { value: Number(dollars) * 100 + Number(cents.padEnd(2, '0')) };
}

/** A whole number; `unlimited` for no limit. */
export function asBound(text: string, reject: Reject): Cell {
  if (text === 'unlimited') return { value: null };
  return { value: /^\d{1,9}$/.test(text) ? Number(text) : reject('must be a whole number, or "unlimited"') };
}

export function asYesOrNo(text: string, reject: Reject): boolean {
  if (text === 'yes') return true;
  return text === 'no' ? false : reject('must be yes or no');
}

/** A day like `2027-01-31`, UTC: returns the moment it ends. */
export function asEndOfDay(text: string, reject: Reject): UnixMs {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts 31 February as a day in March.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
  return isDay ? start + DAY_MS : reject('must be a day like 2027-01-31');
}

/** The TIER operand. */
export const tier = required('TIER', `${PLAN_TIERS.join(', ')}.`, asOneOf(PLAN_TIERS));
