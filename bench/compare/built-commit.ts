import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A commit of this repository, built in a folder of its own. */
export interface BuiltCommit {
  readonly hash: string;
  /** The folder that its compiled files are in. */
  readonly dist: string;
  remove(): void;
}

/** Checks out and compiles a commit with the packages installed here. Throws what git or tsc say. */
export function buildCommit(commit: string): BuiltCommit {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`);
  const folder = join(mkdtempSync(join(tmpdir(), 'quittance-compare-')), 'tree');
  git('worktree', 'add', '--quiet', '--detach', folder, hash);
  const remove = () => {
    git('worktree', 'remove', '--force', folder);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  };
  try {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    execFileSync('node_modules/.bin/tsc', ['-b', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
  } catch (error) {
    remove();
    throw error;
  }
  return { hash, dist: join(folder, 'dist'), remove };
}

// Helpers

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
