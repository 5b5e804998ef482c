import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reaper } from '../../chaos/environment/reaper.ts';
import { postgresAccount } from '../database/postgres-cluster.ts';

/** A file system that can lose power: unsynced data is lost, as when a machine loses power. */
export interface PowerDisk {
  /** Owned by the Postgres account. */
  readonly folder: string;
  /** Flushes everything to the disk. */
  sync(): void;
  /** Cuts the power: nothing reaches the disk any more, and every access fails. */
  cut(): void;
  /** Mounts what was on the disk at the power cut. Its processes must have ended or be ending. */
  restore(): Promise<void>;
  /** Allocates every free block: the next write that needs one fails with ENOSPC. */
  fill(): void;
  free(): void;
}

const MEGABYTES = 512;
const FILL_TRIES = 20;
/** Commit interval of the journal, which otherwise writes metadata of unsynced files every 5 s. */
const COMMIT_SECONDS = 600;
const UNMOUNT_TRIES = 1_200;
const POLL_MS = 50;
/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: the kernel's power-cut test. */
const SHUT_DOWN =
  'my $flags = pack("L", 2); open(my $d, "<", $ARGV[0]) or die; ioctl($d, 0x8004587d, $flags) or die "ioctl: $!"';

/**
 * An ext4 image on a loop device. The reaper unmounts and removes it. Throws when the image cannot
 * be created or mounted.
 */
export function createPowerDisk(deps: {
  readonly folder: string;
  readonly reaper: Reaper;
  readonly megabytes?: number;
}): PowerDisk {
  const { folder: parent, reaper, megabytes = MEGABYTES } = deps;
  const image = join(parent, 'image');
  const folder = join(parent, 'disk');
  const filler = join(folder, 'filler');
  mkdirSync(folder, { recursive: true });
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  // Registered first, so that a process killed in between leaves no mount behind.
  reaper.mount(folder);
  mount();
  const { uid, gid } = postgresAccount() ?? { uid: 0, gid: 0 };
  run('chown', [`${uid}:${gid}`, folder]);
  sync();

  function mount(): void {
    run('mount', ['-o', `loop,commit=${COMMIT_SECONDS}`, image, folder]);
  }

  function remount(): boolean {
    if (spawnSync('umount', [folder]).status !== 0) return false;
    mount();
    return spawnSync('ls', [folder]).status === 0;
  }

  function sync(): void {
    run('sync', ['--file-system', folder]);
  }

  return {
    folder,
    sync,
    cut: () => run('perl', ['-e', SHUT_DOWN, folder]),
    async restore() {
      // Fails while a process still uses it. A mount namespace that was created meanwhile keeps
      // the disk without power mounted, and shows it again.
      for (let tries = 1; !remount(); tries += 1) {
        if (tries === UNMOUNT_TRIES) throw new Error(`${folder} is still in use`);
        await sleep(POLL_MS);
      }
      // Its deletion may be among the unsynced changes.
      free();
    },
    fill() {
      for (let tries = 1; tries <= FILL_TRIES; tries += 1) {
        // Fails when it runs out of blocks before the requested size, and keeps the blocks it took.
        spawnSync('fallocate', ['-l', `${megabytes}MiB`, filler], { stdio: 'ignore' });
        if (statfsSync(folder).bavail === 0) return;
      }
      throw new Error(`${folder} could not be filled`);
    },
    free,
  };

  function free(): void {
    rmSync(filler, { force: true });
  }
}

// Helpers

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || error?.message}`);
}
