import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Edits, planRelease, type ReleaseRequest, type Tree } from './plan.ts';
import { fingerprintsOf } from './released.ts';

export interface ReleaseDeps {
  /** Root of the repository. */
  readonly root: string;
  /** Whether all checks pass with the new version; runs `npm run verify`. */
  readonly verify: () => boolean;
  readonly print: (line: string) => void;
}

/**
 * Makes a release on this machine: applies the edits of `planRelease`, verifies, commits and tags.
 * Never pushes. With `isDry` it only prints. When verification fails, it restores all files and
 * throws.
 */
export function release(
  { root, verify, print }: ReleaseDeps,
  requested: ReleaseRequest & { readonly isDry: boolean },
): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
  const edits = planRelease(readTree(root, git), requested);
  for (const path of edits.keys()) print(`${requested.isDry ? 'would change' : 'changes'} ${path}`);
  const tag = `v${requested.version}`;
  if (requested.isDry) {
    print(`would verify, commit and tag ${tag}; nothing was changed`);
    return;
  }
  write(root, edits);
  if (!verify()) {
    // The working tree was clean, so a checkout restores it.
    git('checkout', '--quiet', '--', ...edits.keys());
    throw new Error('Verification of the new version failed (see above). All files were restored.');
  }
  git('add', '--', ...edits.keys());
  git('commit', '--quiet', '--message', `Release ${requested.version}`);
  git('tag', '--annotate', tag, '--message', `Quittance ${requested.version}`);
  print(`${tag} is committed and tagged locally. Review it (git show ${tag}), then push it: git push --follow-tags`);
}

/** Runs `npm run verify`. */
export function npmVerify(root: string): () => boolean {
  return () => spawnSync('npm', ['run', 'verify'], { cwd: root, stdio: 'inherit' }).status === 0;
}

// Helpers

function readTree(root: string, git: (...args: string[]) => string): Tree {
  return {
    branch: git('rev-parse', '--abbrev-ref', 'HEAD'),
    status: git('status', '--porcelain'),
    tags: git('tag', '--list').split('\n'),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    goldens: fingerprintsOf('goldens', root),
    migrations: fingerprintsOf('migrations', root),
  };
}

function write(root: string, edits: Edits): void {
  for (const [path, text] of edits) writeFileSync(join(root, path), text);
}
