/**
 * Requests per key, or per client address without a key, in the current windows. One row each,
 * overwritten when a window ends. Windows are numbered in minutes and hours since 1970.
 */
export interface RequestCountTable {
  subject: string;
  minute: number;
  hour: number;
  in_minute: number;
  in_hour: number;
  /** Limits last applied. */
  per_minute: number;
  per_hour: number;
  /** Number of requests the last statement admitted, read by the process that sent it. */
  admitted: number;
}
