import { ALLOWED_LICENCES, INSTALL_SCRIPTS, LICENCE_ELSEWHERE } from './allowed.ts';

/** The parts of package-lock.json (version 3) that are checked. */
export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
}

/**
 * Returns one sentence per problem with the packages of a lockfile: their source, whether their
 * integrity can be verified, their install scripts and their licences. Also reports unused entries
 * of the tables.
 */
export function lockfileProblems(lockfile: Lockfile): readonly string[] {
  if (lockfile.lockfileVersion !== 3) return [`package-lock.json has version ${lockfile.lockfileVersion}, not 3`];
  const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '');
  const names = new Set(packages.map(([path]) => nameOf(path)));
  return [
    ...packages.flatMap(([path, locked]) => problemsOf(nameOf(path), locked)),
    ...[...Object.keys(INSTALL_SCRIPTS), ...Object.keys(LICENCE_ELSEWHERE)]
      .filter((name) => !names.has(name))
      .map((name) => `${name} has an entry in allowed.ts but is not installed: remove the entry`),
  ];
}

// Helpers

function problemsOf(name: string, locked: LockedPackage): readonly string[] {
  const { version = 'without a version', resolved, integrity, link, hasInstallScript, license } = locked;
  const shown = `${name} ${version}`;
  const problems: string[] = [];
  if (link === true) problems.push(`${shown} is a link to a folder; install it from the registry`);
  if (resolved !== undefined && !resolved.startsWith('https://')) {
    problems.push(`${shown} is resolved from ${resolved}; only https to a registry is allowed`);
  }
  if (integrity === undefined || !/^sha(512|384|256)-/.test(integrity)) {
    problems.push(`${shown} has no checksum (integrity), so its content cannot be verified`);
  }
  if (hasInstallScript === true && !Object.hasOwn(INSTALL_SCRIPTS, name)) {
    problems.push(`${shown} runs an install script: review it and add the reason to allowed.ts`);
  }
  const isKnown = license === undefined ? Object.hasOwn(LICENCE_ELSEWHERE, name) : ALLOWED_LICENCES.has(license);
  if (!isKnown) {
    problems.push(`${shown} has the licence ${license ?? '(none stated)'}, which is not in allowed.ts`);
  }
  return problems;
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
