/**
 * Whether the answer of `getmempoolinfo` says that the mempool file has been read. Nodes before Bitcoin Core 0.19, such as Dogecoin
 * Core 1.14, do not report `loaded`: only for them, a missing field counts as loaded. Any other value than true does not.
 */
export function isMempoolLoaded(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  return 'loaded' in answer ? answer.loaded === true : true;
}
