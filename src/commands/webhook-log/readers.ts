import type { UnixMs } from '../../../machines/index.ts';

/** ISO 8601 as profiled by RFC 3339, or a day, which means its start in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a time. The problem passed to `refuse` completes a sentence that begins with the option.
 */
export function asMoment(text: string, refuse: (problem: string) => never): UnixMs {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 'YYYY-MM-DD'.length);
  // Date.parse accepts 31 February as a day in March.
  const exists = !Number.isNaN(at) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists ? at : refuse('must be a moment like 2026-11-21T09:30:00Z, or a day like 2026-11-21');
}
