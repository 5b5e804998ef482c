import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A commit of this repository, built in a separate folder. */
export interface BuiltCommit {
  readonly hash: string;
  /** The folder that its compiled files are in. */
  readonly dist: string;
  remove(): void;
}

/**
 * Checks out and compiles a commit with the packages installed here. A commit without a round of
 * this bench is measured with the benches of the working tree. Throws git's output on failure.
 */
export function buildCommit(commit: string, bench: string): BuiltCommit {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`);
  // Below the working tree, so that the compiler and Node find the installed packages.
  const folder = join('.cache', `compare-${hash}-${process.pid}`);
  git('worktree', 'add', '--quiet', '--detach', folder, hash);
  const benches = join(folder, 'bench');
  if (!existsSync(join(benches, bench, 'round.ts'))) {
    rmSync(benches, { recursive: true });
    cpSync('bench', benches, { recursive: true });
  }
  // Types may be wrong where a package was removed since; files without errors are compiled.
  spawnSync('npx', ['tsc', '-b', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
  const dist = resolve(folder, 'dist');
  // A service is started from its bundle and needs the console's pages, though none is measured.
  if (existsSync(join(dist, BUNDLER))) execFileSync('node', [join('dist', BUNDLER)], { cwd: folder });
  else cpSync('dist/console', join(dist, 'console'), { recursive: true });
  return { hash, dist, remove: () => void git('worktree', 'remove', '--force', folder) };
}

// Helpers

/** Older commits have none, and start the compiled modules. */
const BUNDLER = 'scripts/build/main.js';

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
