/** Path of an image from the root of the service, without a leading slash. */
export function imagePath(id: string): string {
  return `images/${id}`;
}

/** The public address of an image; null for none. */
export function imageAddress(publicUrl: string, id: string | null): string | null {
  return id === null ? null : `${publicUrl}/${imagePath(id)}`;
}
