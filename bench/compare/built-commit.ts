import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A commit of this repository, built in a folder of its own. */
export interface BuiltCommit {
  readonly hash: string;
  /** The folder that its compiled files are in. */
  readonly dist: string;
  remove(): void;
}

/**
 * Checks out and compiles a commit with the packages installed here. A commit without a round of
 * this bench gets the benches of the working tree. Throws what git or tsc say.
 */
export function buildCommit(commit: string, bench: string): BuiltCommit {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`);
  // Below the working tree, so that the compiler and Node find the installed packages.
  const folder = join('.cache', `compare-${hash}-${process.pid}`);
  git('worktree', 'add', '--quiet', '--detach', folder, hash);
  const remove = () => void git('worktree', 'remove', '--force', folder);
  try {
    if (!existsSync(join(folder, 'bench', bench, 'round.ts')))
      cpSync('bench', join(folder, 'bench'), { recursive: true });
    execFileSync('npx', ['tsc', '-b', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
  } catch (error) {
    remove();
    throw error;
  }
  return { hash, dist: resolve(folder, 'dist'), remove };
}

// Helpers

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
