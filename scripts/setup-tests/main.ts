import { spawnSync } from 'node:child_process';
import { type Component, describeAbsent, findAbsentComponents } from '../../test/support/run/components.ts';
import { findProgram } from '../../test/support/run/find-program.ts';
import { provideServers } from '../../test/support/run/provide-servers.ts';

/**
 * `npm run setup:tests` installs the test dependencies that this machine lacks. Uses apt where
 * available, otherwise prints what to install. Exits 1 while anything is still missing.
 */
const absent = await findAbsent();
if (absent.length > 0) {
  const packages = [...new Set(absent.flatMap(({ debianPackage }) => debianPackage ?? []))];
  if (findProgram('apt-get') === undefined) {
    console.error(`${describeAbsent(absent)?.split('\n').slice(0, -1).join('\n')}`);
    console.error(`Install the equivalents of these Debian packages: ${packages.join(', ')}`);
    process.exitCode = 1;
  } else {
    installPackages(packages);
    const table = describeAbsent(await findAbsent());
    if (table !== null) {
      console.error(table);
      process.exitCode = 1;
    }
  }
}
if (process.exitCode !== 1) console.log('All test dependencies are installed.');

// Helpers

async function findAbsent(): Promise<Component[]> {
  const stop = await provideServers();
  try {
    return findAbsentComponents();
  } finally {
    await stop();
  }
}

function installPackages(packages: readonly string[]): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args: readonly string[]) => {
    const [command = '', ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
    console.log(`${command} ${rest.join(' ')}`);
    return spawnSync(command, rest, { stdio: 'inherit' }).status === 0;
  };
  apt('update');
  const install = (names: readonly string[]) => apt('install', '-y', '--no-install-recommends', ...names);
  // Older releases have only the full browser.
  const older = packages.map((name) => (name === 'chromium-headless-shell' ? 'chromium' : name));
  if (packages.length > 0 && !install(packages)) install(older);
}
