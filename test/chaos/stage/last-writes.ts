import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Of each file of a folder, by path: its size and when it was written last. */
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

/** Files that were written, made or removed after the state that was restored. */
export function countLostWrites(before: LastWrites, after: LastWrites): number {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file)).length;
}
