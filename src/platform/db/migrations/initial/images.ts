import { ID } from './storage.ts';

/** Images that merchants upload, apart from the rows that refer to them, which stay narrow. */
export const images: readonly string[] = [
  // By the SHA-256 of the bytes, so that the address of an image may be cached forever.
  `create table image (
    id ${ID} primary key,
    content_type ${ID} not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
    bytes bytea not null check (length(bytes) between 1 and 262144),
    created_at timestamptz not null
  )`,
];
