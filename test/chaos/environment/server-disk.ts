import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../src/platform/errors.ts';
import { createPowerDisk, type PowerDisk } from '../../support/outside/power-disk.ts';
import { requireComponent } from '../../support/run/components.ts';
import type { Reaper } from './reaper.ts';
import { createSmallDisk } from './small-disk.ts';

/** The file system of one server, which can be filled and lose power where the machine allows. */
export interface ServerDisk {
  readonly folder: string;
  /** False where nothing can be mounted: then it is an ordinary folder that is never full. */
  readonly canBeFull: boolean;
  /** Null where no image can be mounted. */
  readonly power: Pick<PowerDisk, 'sync' | 'cut' | 'restore'> | null;
  /** Why `power` is null; null when it is not. */
  readonly whyNoPowerCuts: string | null;
  /** Leaves no free block: the next write that needs one fails with ENOSPC. */
  fill(): Promise<void>;
  free(): void;
}

/** An ext4 image; a tmpfs where no image can be mounted; a folder where nothing can be mounted. */
export async function createServerDisk(deps: {
  readonly folder: string;
  readonly megabytes: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  readonly reaper: Reaper;
}): Promise<ServerDisk> {
  const { folder, megabytes, owner, reaper } = deps;
  mkdirSync(folder, { recursive: true });
  try {
    requireComponent('powerCuts');
    const power = createPowerDisk({ folder, megabytes, reaper });
    return {
      folder: power.folder,
      canBeFull: true,
      power,
      whyNoPowerCuts: null,
      fill: async () => power.fill(),
      free: () => power.free(),
    };
  } catch (error) {
    const small = await createSmallDisk({ folder: join(folder, 'disk'), megabytes, owner, reaper });
    // mount prints hints on further lines.
    const [reason = ''] = messageOf(error).split('\n');
    return { ...small, power: null, whyNoPowerCuts: reason };
  }
}
