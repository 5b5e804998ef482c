/**
 * Whether a `getmempoolinfo` result reports a loaded mempool. Nodes based on Bitcoin Core before
 * 0.19, such as Dogecoin Core 1.14, have no `loaded` field: a missing field counts as loaded, any
 * value other than true does not.
 */
export function isMempoolLoaded(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  return 'loaded' in answer ? answer.loaded === true : true;
}

/** Whether a `getmempoolinfo` result says so itself: without the field, it may still be loading. */
export function saysMempoolLoaded(answer: unknown): boolean {
  return isMempoolLoaded(answer) && typeof answer === 'object' && answer !== null && 'loaded' in answer;
}
