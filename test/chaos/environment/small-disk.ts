import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chown, statfs } from 'node:fs/promises';
import type { Reaper } from './reaper.ts';

/** The file system of one server, which can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** False where nothing can be mounted: then it is an ordinary folder that is never full. */
  readonly canBeFull: boolean;
  /** Leaves no free block: the next write that needs one fails with ENOSPC. */
  fill(): Promise<void>;
  free(): void;
}

export interface SmallDiskOptions {
  readonly folder: string;
  readonly megabytes: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  readonly reaper: Reaper;
}

const FILL_TRIES = 20;

/** A tmpfs, filled by shrinking it to the size of its contents, which takes no memory. */
export async function createSmallDisk({ folder, megabytes, owner, reaper }: SmallDiskOptions): Promise<SmallDisk> {
  mkdirSync(folder, { recursive: true });
  const canBeFull = mount(['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  if (canBeFull) reaper.mount(folder);
  if (owner !== null) await chown(folder, owner.uid, owner.gid);

  return {
    folder,
    canBeFull,
    async fill() {
      for (let tries = 1; tries <= FILL_TRIES; tries += 1) {
        const { blocks, bfree, bsize } = await statfs(folder);
        // Fails when more has been written in the meantime.
        if (mount(['-o', `remount,size=${(blocks - bfree) * bsize}`, folder])) return;
      }
      throw new Error(`${folder} could not be filled`);
    },
    free() {
      if (!mount(['-o', `remount,size=${megabytes}m`, folder]))
        throw new Error(`${folder} could not be enlarged again`);
    },
  };
}

// Helpers

function mount(args: readonly string[]): boolean {
  return spawnSync('mount', [...args], { stdio: 'ignore' }).status === 0;
}
