import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Size and last write time of each file in a folder, by path. */
export type LastWrites = ReadonlyMap<string, string>;

export async function readLastWrites(folder: string): Promise<LastWrites> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, string]> => {
        const { size, mtimeNs } = await stat(file, { bigint: true });
        return [file, `${size} ${mtimeNs}`];
      }),
    ),
  );
}

/** Number of files that were written, created or deleted after the restored state. */
export function countLostWrites(before: LastWrites, after: LastWrites): number {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file)).length;
}
