/** 1 from half of the usual time, 2 from three quarters, 3 beyond it; 0 also without a limit. */
export type Heat = 0 | 1 | 2 | 3;

/** How long actors have been in a state, measured by how long is usual there. */
export function heatOf(p95Ms: number, limitMs: number | null): Heat {
  if (limitMs === null) return 0;
  const share = p95Ms / limitMs;
  if (share >= 1) return 3;
  if (share >= 0.75) return 2;
  return share >= 0.5 ? 1 : 0;
}
