import { compareVersions } from '../../src/platform/db/migrating/compare-release-versions.ts';
import type { Released } from './released.ts';

/** The state of the repository that a release depends on. Paths are those of git. */
export interface Tree {
  readonly branch: string;
  /** `git status --porcelain`; empty when everything is committed. */
  readonly status: string;
  readonly tags: readonly string[];
  read(path: string): string;
  /** Fingerprints of the files that a release freezes. */
  readonly goldens: Readonly<Record<string, string>>;
  readonly migrations: Readonly<Record<string, string>>;
}

export interface ReleaseRequest {
  readonly version: string;
  /** Date of the release, such as 2026-11-22. */
  readonly day: string;
}

/** New file contents by path. */
export type Edits = ReadonlyMap<string, string>;

const MANIFEST = 'test/released.json';
const CHANGELOG = 'CHANGELOG.md';

/**
 * Computes what a release changes: the version in every file that has it, the changelog heading,
 * and the fingerprints of released files. Pure. Throws an error that lists everything that prevents
 * the release.
 */
export function planRelease(tree: Tree, { version, day }: ReleaseRequest): Edits {
  const released = JSON.parse(tree.read(MANIFEST)) as Released;
  const present = (JSON.parse(tree.read('package.json')) as { version: string }).version;
  const problems = [
    ...problemsOfVersion(version, { present, released: released.version }),
    ...problemsOfTree(tree, version),
    ...problemsOfPast(tree, released),
  ];
  const changelog = releasedChangelog(tree.read(CHANGELOG), version, day);
  if (changelog === null)
    problems.push(`${CHANGELOG}: "## Unreleased" is empty; describe the changes that users notice`);
  if (problems.length > 0 || changelog === null) {
    throw new Error(['Cannot release:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
  const manifest: Released = {
    version,
    goldens: { ...released.goldens, ...tree.goldens },
    migrations: tree.migrations,
  };
  const edits = new Map([
    [CHANGELOG, changelog],
    [MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
  for (const { path, pattern, times } of VERSIONED) {
    const text = edits.get(path) ?? tree.read(path);
    edits.set(path, replaced(path, text, { pattern, times, present, version }));
  }
  return edits;
}

// Helpers

/**
 * Files that contain the version, and how often (`times`; null: at least once). In openapi.json the
 * examples of health responses show the version of the service; `info.version` is that of the
 * interface and does not change with a release.
 */
const VERSIONED = [
  { path: 'package.json', pattern: '"version": "VERSION"', times: 1 },
  { path: 'package-lock.json', pattern: '"name": "quittance",\n  "version": "VERSION"', times: 1 },
  { path: 'package-lock.json', pattern: '"name": "quittance",\n      "version": "VERSION"', times: 1 },
  { path: 'src/platform/version.ts', pattern: "VERSION = 'VERSION'", times: 1 },
  {
    path: 'generated/openapi.json',
    pattern: '"service": "quittance",\n                  "version": "VERSION"',
    times: null,
  },
] as const;

function problemsOfVersion(version: string, past: { present: string; released: string | null }): string[] {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version)) return [`"${version}" is not a version such as 1.2.3`];
  const problems: string[] = [];
  if (compareVersions(version, past.present) < 0)
    problems.push(`${version} is older than ${past.present}, the version in package.json`);
  if (past.released !== null && compareVersions(version, past.released) <= 0)
    problems.push(`${version} is not newer than ${past.released}, the last release`);
  return problems;
}

function problemsOfTree({ branch, status, tags }: Tree, version: string): string[] {
  return [
    ...(branch === 'main' ? [] : [`the branch is "${branch}"; releases are made from main`]),
    ...(status === '' ? [] : [`there are uncommitted changes:\n${status.replaceAll(/^/gm, '    ')}`]),
    ...(tags.includes(`v${version}`) ? [`the tag v${version} already exists`] : []),
  ];
}

/**
 * Installations already have the released files. A golden journal may be removed with its chart but
 * never changed.
 */
function problemsOfPast(tree: Tree, released: Released): string[] {
  const isOther = (path: string, was: string, is: string | undefined) =>
    is === was ? [] : [`${path} was released and has changed since`];
  return [
    ...Object.entries(released.migrations).flatMap(([path, was]) =>
      isOther(`src/platform/db/migrations/${path}`, was, tree.migrations[path]),
    ),
    ...Object.entries(released.goldens).flatMap(([path, was]) =>
      isOther(`test/machines/golden/${path}`, was, tree.goldens[path] ?? was),
    ),
  ];
}

/** Null when there is nothing to release. */
function releasedChangelog(text: string, version: string, day: string): string | null {
  const [, entries = ''] = /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text) ?? [];
  if (!/^- /m.test(entries)) return null;
  return text.replace('## Unreleased\n', () => `## Unreleased\n\n## ${version} (${day})\n`);
}

function replaced(
  path: string,
  text: string,
  { pattern, times, present, version }: { pattern: string; times: number | null; present: string; version: string },
): string {
  const index = pattern.lastIndexOf('VERSION');
  const [before, after] = [pattern.slice(0, index), pattern.slice(index + 'VERSION'.length)];
  const parts = text.split(`${before}${present}${after}`);
  const found = parts.length - 1;
  if (found === 0 || (times !== null && found !== times)) {
    throw new Error(`${path}: "${pattern}" with ${present} occurs ${found} times instead of ${times ?? 'at least 1'}`);
  }
  return parts.join(`${before}${version}${after}`);
}
