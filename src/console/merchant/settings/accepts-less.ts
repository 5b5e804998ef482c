import type { SettingsChangeBody } from '../../contract/settings.ts';

/**
 * Whether payments would complete with less money or fewer confirmations than before. `seen` can be
 * relied on: a change is rejected when it differs from what is stored.
 */
export function acceptsLess({ changes, seen }: SettingsChangeBody): boolean {
  return (
    isLess(seen.toleranceBasisPoints, changes.toleranceBasisPoints) ||
    isLess(changes.minConfirmations, seen.minConfirmations)
  );
}

// Helpers

function isLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}
