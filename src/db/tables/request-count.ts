/**
 * How many requests a key, or an address without one, has made in its current windows. One row each, overwritten when a
 * window ends. Windows are numbered: minutes and hours since 1970.
 */
export interface RequestCountTable {
  subject: string;
  minute: number;
  hour: number;
  in_minute: number;
  in_hour: number;
  /** What the requests were counted against last. */
  per_minute: number;
  per_hour: number;
  /** How many requests the newest statement let in, for whoever sent it. */
  admitted: number;
}
