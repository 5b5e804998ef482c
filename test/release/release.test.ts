import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { release } from '../../scripts/release/release.ts';
import type { Released } from '../../scripts/release/released.ts';
import { VERSION } from '../../src/platform/version.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DAY = '2027-01-31';
/** Files that a release reads and writes. */
const PATHS = [
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'src/platform/version.ts',
  'generated/openapi.json',
  'src/platform/db/migrations',
  'test/released.json',
  'test/machines/golden',
];

let template: string;
let root: string;
let printed: string[];

/** A repository with the current files, committed on main. */
beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'quittance-release-template-'));
  root = template;
  for (const path of PATHS) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  writeFileSync(join(root, 'test/released.json'), '{ "version": null, "goldens": {}, "migrations": {} }\n');
  changelog('# Changelog\n\n## Unreleased\n\n### Added\n\n- Take payments.\n');
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.email', 'release@example.com');
  git('config', 'user.name', 'Release');
  commit('Begin');
});
afterAll(() => rmSync(template, { recursive: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  cpSync(template, root, { recursive: true });
  printed = [];
});
afterEach(() => rmSync(root, { recursive: true }));

test('a release bumps every version, dates the changelog, freezes what is released, commits and tags', () => {
  let isVerified = false;
  make('0.2.0', () => {
    // Verification must see the version to be released.
    isVerified = read('src/platform/version.ts').includes("'0.2.0'");
    return true;
  });
  expect(isVerified).toBe(true);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s', '-1')).toBe('Release 0.2.0');
  expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag');
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## Unreleased\n\n## 0.2.0 (${DAY})\n\n### Added\n\n- Take payments.\n`,
  );
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' } },
  });
  // The API reference keeps the interface's version; `GET /health` shows the service's.
  expect(JSON.parse(read('generated/openapi.json'))).toMatchObject({ info: { version: '1.0.1' } });
  expect(read('generated/openapi.json')).toContain('"version": "0.2.0"');
  for (const path of ['package.json', 'generated/openapi.json'])
    expect(read(path)).not.toContain(`"version": "${VERSION}"`);
  const released = JSON.parse(read('test/released.json')) as Released;
  expect(released.version).toBe('0.2.0');
  expect(released.goldens).toHaveProperty(['transaction/1/never-paid.json']);
  expect(released.migrations).toMatchObject({
    '2026_11_30_0013_initial.ts': expect.any(String),
    'initial/engine.ts': expect.any(String),
  });
  expect(git('remote')).toBe('');
});

test('a release changes the service version in the reference, and no other version that happens to be equal', () => {
  const path = join(root, 'generated/openapi.json');
  const reference = JSON.parse(read('generated/openapi.json')) as { info: object };
  const other = { version: VERSION, schema: { version: VERSION } };
  writeFileSync(
    path,
    `${JSON.stringify({ ...reference, info: { ...reference.info, version: VERSION }, other }, null, 2)}\n`,
  );
  commit('Bring the version of the interface and that of the service together');
  make('0.2.0');
  expect(JSON.parse(read('generated/openapi.json'))).toMatchObject({ info: { version: VERSION }, other });
  expect(read('generated/openapi.json')).not.toMatch(new RegExp(`"service": "quittance",\\s+"version": "${VERSION}"`));
});

test('the next release keeps what the previous one froze, and must come after it', () => {
  make('0.2.0');
  expect(() => make('0.3.0')).toThrow('"## Unreleased" is empty');
  changelog(read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n### Fixed\n\n- Repair it.\n'));
  commit('Repair it');
  expect(() => make('0.2.0')).toThrow(/is not newer than 0\.2\.0.*\n.*tag v0\.2\.0 already exists/);
  make('0.2.1');
  expect(git('tag', '--list').split('\n')).toEqual(['v0.2.0', 'v0.2.1']);
});

test('a release is refused with uncommitted changes, on another branch, for an old or invalid version, or with changed released files', () => {
  appendFileSync(join(root, 'package.json'), '\n');
  expect(() => make('0.2.0')).toThrow(/uncommitted changes:\n +M package.json/);
  git('checkout', '--quiet', '.');
  git('checkout', '--quiet', '-b', 'other');
  expect(() => make('0.2.0')).toThrow('the branch is "other"');
  git('checkout', '--quiet', 'main');
  expect(() => make('0.0.9')).toThrow(`0.0.9 is older than ${VERSION}`);
  expect(() => make('two')).toThrow('"two" is not a version');
  make('0.2.0');
  changelog(read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Change the past.\n'));
  appendFileSync(join(root, 'src/platform/db/migrations/initial/engine.ts'), '\n');
  appendFileSync(join(root, 'test/machines/golden/transaction/1/never-paid.json'), '\n');
  commit('Change the past');
  expect(() => make('0.3.0')).toThrow('initial/engine.ts was released and has changed since');
  expect(() => make('0.3.0')).toThrow('transaction/1/never-paid.json was released and has changed since');
});

test('a failed release restores everything', () => {
  expect(() => make('0.2.0', () => false)).toThrow('All files were restored');
  expect([git('status', '--porcelain'), git('tag', '--list'), git('log', '--format=%s')]).toEqual(['', '', 'Begin']);
});

test('a dry run prints its plan and changes nothing', () => {
  make('0.2.0', () => expect.fail('nothing is verified'), true);
  expect(printed.join('\n')).toMatch(/would change CHANGELOG\.md[\s\S]*would verify, commit and tag v0\.2\.0/);
  expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
});

// Helpers

function make(version: string, verify: () => boolean = () => true, isDry = false): void {
  release({ root, verify, print: (line) => void printed.push(line) }, { version, day: DAY, isDry });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function changelog(text: string): void {
  writeFileSync(join(root, 'CHANGELOG.md'), text);
}
