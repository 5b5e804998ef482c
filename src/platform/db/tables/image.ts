import type { Moment } from './columns.ts';

/** An image that a merchant uploaded; other tables refer to it by id. */
export interface ImageTable {
  /** SHA-256 of the bytes, in hex. */
  id: string;
  content_type: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
  /** Of the last upload, or when it stopped being a merchant's logo. */
  created_at: Moment;
}
