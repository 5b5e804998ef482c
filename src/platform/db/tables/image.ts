import type { Moment } from './columns.ts';

/** An image that a merchant uploaded. Rows never change, and other tables refer to them by id. */
export interface ImageTable {
  /** SHA-256 of the bytes, in hex. */
  id: string;
  content_type: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
  created_at: Moment;
}
