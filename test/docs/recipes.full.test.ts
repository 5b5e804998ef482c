import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyClone, type EmptyClone } from './empty-clone.ts';
import { ROOT, readDocument, tableRows } from './markdown.ts';

type Step = readonly [file: string, after: string, added: string];

/**
 * What someone writes first who adds a made-up one: in a file, a text after another. Those of one
 * list are compiled at once; a token and a coin begin in one file.
 */
const FIRST_STEPS: readonly Readonly<Record<string, readonly Step[]>>[] = [
  {
    'a token': [['machines/vocabulary/asset.ts', "  'MKR',\n", "  'PYUSD',\n"]],
    'a webhook event': [['src/webhooks/event-types.ts', "  'recurring.stopped',\n", "  'recurring.resumed',\n"]],
    'a page of the dashboard': [['src/web/routing/paths.ts', "  plan: '/plan',\n", "  refunds: '/refunds',\n"]],
    'a language for customers': [['src/merchants/settings.ts', "'pt'", ", 'nl'"]],
  },
  {
    'a coin with outputs': [
      ['machines/vocabulary/asset.ts', "  'MKR',\n", "  'BCH',\n"],
      ['machines/vocabulary/asset.ts', "'dogecoin', 'dash',", " 'bitcoincash',"],
    ],
  },
];
/** Without declarations, which name the packages by their folder. */
const OPTIONS = ['--noEmit', '--declaration', 'false', '--pretty', 'false'];
const TIMEOUT_MS = 600_000;

describe('files that the compiler asks for after the first step', () => {
  const rows = new Map(
    tableRows(readDocument('docs/contributors/README.md'), ['Add', 'Begin at', 'Then']).map(pathsOf),
  );
  let clone: EmptyClone;

  beforeAll(() => {
    clone = createEmptyClone();
    symlinkSync(join(ROOT, 'node_modules'), join(clone.folder, 'node_modules'));
  });
  afterAll(() => clone.remove());

  test.each(FIRST_STEPS.map((recipes) => [Object.keys(recipes).join(', '), recipes] as const))(
    'are named in the recipe of %s',
    { timeout: TIMEOUT_MS },
    (_, recipes) => {
      const requested = withSteps(clone.folder, Object.values(recipes).flat(), () => filesWithErrors(clone.folder));

      const named = Object.keys(recipes).map((name) => ({ name, paths: rows.get(name) ?? [] }));
      expect(requested.filter((file) => !named.some(({ paths }) => isNamed(file, paths)))).toEqual([]);
      for (const { name, paths } of named) {
        expect(
          recipes[name]?.filter(([file]) => !isNamed(file, paths)),
          `${name} begins`,
        ).toEqual([]);
        expect(
          requested.filter((file) => isNamed(file, paths)),
          `${name} is led by the compiler`,
        ).not.toEqual([]);
      }
    },
  );
});

// Helpers

function pathsOf([name = '', begin = '', then = '']: readonly string[]): [name: string, paths: string[]] {
  return [name, [...`${begin} ${then}`.matchAll(/(?:machines|src|test)\/[\w./-]*[\w/]/g)].map(([path]) => path)];
}

function isNamed(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => file === path || (path.endsWith('/') && file.startsWith(path)));
}

/** The result of `run` while the steps are there. */
function withSteps<T>(folder: string, steps: readonly Step[], run: () => T): T {
  for (const step of steps) insert(folder, step);
  try {
    return run();
  } finally {
    for (const [file] of steps) copyFileSync(join(ROOT, file), join(folder, file));
  }
}

function insert(folder: string, [file, after, added]: Step): void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  expect(before.split(after), `${file} has ${after} once`).toHaveLength(2);
  writeFileSync(
    path,
    before.replace(after, () => after + added),
  );
}

/** Files of the program and its pages with type errors. */
function filesWithErrors(folder: string): string[] {
  const files = ['tsconfig.json', 'src/web/tsconfig.json'].flatMap((project) => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, ...OPTIONS, '-p', project], {
      cwd: folder,
      encoding: 'utf8',
    });
    const found = [...stdout.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
    if (status !== 0 && found.length === 0) throw new Error(`the compiler ended with ${status}: ${stdout}`);
    return found;
  });
  return [...new Set(files)].sort();
}
