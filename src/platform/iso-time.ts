import type { UnixMs } from '../../machines/index.ts';

/** A moment as ISO 8601 in UTC, with milliseconds: as the API, webhooks and files show it. */
export function isoTime(at: UnixMs): string {
  return new Date(at).toISOString();
}

export function isoTimeOrNull(at: UnixMs | null): string | null {
  return at === null ? null : isoTime(at);
}
