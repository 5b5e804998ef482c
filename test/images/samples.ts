import { MAX_IMAGE_BYTES } from '../../src/images/index.ts';

/** Images of 6 by 4 pixels as data URLs, made by Chromium; one of each form that headers have. */
export const IMAGES = {
  PNG: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAACtBE5DAAAAI0lEQVR4AZTJMQ0AAAwCwYa14uqk/jcwAAOf/HTYP7oxoR4EAAD//+vwcqMAAAAGSURBVAMAn2kKs7zAYI8AAAAASUVORK5CYII=',
  JPEG: 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAEAAYDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAARP/2Q==',
  LOSSY_WEBP: 'data:image/webp;base64,UklGRiwAAABXRUJQVlA4ICAAAAAwAQCdASoGAAQABABoJaAAA3AA/us2P/6Fesvvpi4AAA==',
  LOSSLESS_WEBP: 'data:image/webp;base64,UklGRh4AAABXRUJQVlA4TBEAAAAvBcAAAAdQty70qf+BiOh/AAA=',
  EXTENDED_WEBP:
    'data:image/webp;base64,UklGRj4AAABXRUJQVlA4WAoAAAAAAAAABQAAAwAAVlA4ICAAAAAwAQCdASoGAAQABABoJaAAA3AA/us2P/6Fesvvpi4AAA==',
} as const;

/** The largest image that is accepted, as a data URL. */
export const LARGEST_IMAGE = `data:image/png;base64,${Buffer.concat(
  [bytesOfImage(IMAGES.PNG), Buffer.alloc(MAX_IMAGE_BYTES)],
  MAX_IMAGE_BYTES,
).toString('base64')}`;

/** The bytes of a data URL. */
export function bytesOfImage(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');
}
