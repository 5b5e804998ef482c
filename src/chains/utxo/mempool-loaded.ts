import { isRecord } from '../../platform/is-record.ts';

/**
 * Whether a `getmempoolinfo` result reports a loaded mempool. Nodes based on Bitcoin Core before
 * 0.19, such as Dogecoin Core 1.14, have no `loaded` field: a missing field counts as loaded, any
 * value other than true does not.
 */
export function isMempoolLoaded(response: unknown): boolean {
  return isRecord(response) && (!('loaded' in response) || response.loaded === true);
}

/** Whether a `getmempoolinfo` result says so itself: without the field, it may still be loading. */
export function saysMempoolLoaded(response: unknown): boolean {
  return isMempoolLoaded(response) && isRecord(response) && 'loaded' in response;
}
