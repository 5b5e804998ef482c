/** Images that merchants upload and customers see. */

export type { Image } from './read-image.ts';
export { imageOf, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, readImage } from './read-image.ts';
export { findImage, imageAddress, imageIdOf, imagePath, replaceImages, saveImage } from './store-image.ts';
