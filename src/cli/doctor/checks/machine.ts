import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Check, ok, problem, warning } from '../check.ts';

/** The process and its data folder. */
export const MACHINE_CHECKS: readonly Check[] = [
  { name: 'node', run: async () => nodeVersion(process.versions.node) },
  { name: 'DATA_DIR', run: ({ config }) => dataDir(config.dataDir) },
  { name: 'disk', run: ({ config }) => diskSpace(config.dataDir, config.database.url === null) },
];

/** As `engines` of package.json requires. */
export function nodeVersion(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok(`Node ${version}`);
  return problem(`Node ${version} is too old`, 'Install Node 20.19 or newer.');
}

// Helpers

/**
 * Below the first limit the embedded database may stop at any time; below the second there is no
 * reserve.
 */
const MIN_FREE_BYTES = 100 * 1024 ** 2;
const FEW_FREE_BYTES = 1024 ** 3;

async function dataDir(path: string) {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    const parent = await nearestFolder(path);
    if (await isWritable(parent)) return ok(`${path} will be created at the first start`);
    return problem(
      `${path} does not exist and cannot be created in ${parent}`,
      'Create it, owned by the user that runs the service, or set DATA_DIR.',
    );
  }
  if (!found.isDirectory()) return problem(`${path} is not a folder`, 'Set DATA_DIR to a folder.');
  if (!(await isWritable(path))) {
    return problem(`${path} is not writable`, `Make the user that runs the service its owner: chown -R USER ${path}`);
  }
  if ((found.mode & constants.S_IWOTH) !== 0) {
    return warning(
      `every account on this machine can write to ${path}`,
      `Restrict it to the service: chmod 700 ${path}`,
    );
  }
  return ok(`${path} is writable`);
}

async function diskSpace(path: string, isDatabaseThere: boolean) {
  const { bavail, bsize } = await statfs(await nearestFolder(path));
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GB free for DATA_DIR`;
  const remedy = 'Free up space, or move DATA_DIR to a larger disk.';
  if (free < MIN_FREE_BYTES) return problem(text, remedy);
  return isDatabaseThere && free < FEW_FREE_BYTES
    ? warning(`${text}, where the embedded database grows`, remedy)
    : ok(text);
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function nearestFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await stat(folder).catch(() => null))?.isDirectory() || folder === dirname(folder)) return folder;
  }
}
