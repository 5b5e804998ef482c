import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { KEPT_FOLDER } from './kept-folder.ts';

/**
 * Node majors that the full level runs on, the oldest supported one first.
 * test/docs/node-versions.test.ts checks README, package.json and the Dockerfile against this list.
 */
export const TESTED_NODE_MAJORS = [20, 22, 26] as const;

/** The package for this platform; the install script of npm's `node` only selects it. */
const PACKAGE = `node-${process.platform}-${process.arch}`;
const INSTALL_TIMEOUT_MS = 180_000;

const run = promisify(execFile);

export type ProvidedNode =
  | { readonly isThere: true; readonly path: string }
  /** `missing` and `remedy` are for `requireOrSkip`. */
  | { readonly isThere: false; readonly missing: string; readonly remedy: string };

/**
 * A Node binary of this major, in its own `bin` folder for PATH. Downloads the newest release
 * from the package registry and keeps it for later runs.
 */
export async function provideNode(major: number): Promise<ProvidedNode> {
  const path = join(KEPT_FOLDER, `node-${major}`, 'bin', 'node');
  try {
    if (!(await isMajor(path, major))) await install(major, path);
    if (await isMajor(path, major)) return { isThere: true, path };
    return missing(major, `${PACKAGE}@${major} does not run on this system`);
  } catch (error) {
    return missing(major, reasonOf(error));
  }
}

// Helpers

function missing(major: number, why: string): ProvidedNode {
  return {
    isThere: false,
    missing: `Node ${major} cannot be installed (${why})`,
    remedy: `make "npm install ${PACKAGE}@${major}" work here: the package registry must answer`,
  };
}

/** npm's first line, such as `npm error code ECONNREFUSED`, but not the one with its arguments. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /^npm error .*$/m.exec(text)?.[0] ?? text.split('\n')[0] ?? text;
}

async function isMajor(path: string, major: number): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['--version']);
    return stdout.startsWith(`v${major}.`);
  } catch {
    return false;
  }
}

/**
 * Installs into a folder per process first, so that an aborted download leaves nothing at `path`.
 */
async function install(major: number, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const folder = await mkdtemp(join(KEPT_FOLDER, `node-${major}-`));
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...options, '--prefix', folder, `${PACKAGE}@${major}`], {
      cwd: folder,
      timeout: INSTALL_TIMEOUT_MS,
    });
    await rename(join(folder, 'node_modules', PACKAGE, 'bin/node'), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
