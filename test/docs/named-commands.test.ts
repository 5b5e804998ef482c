import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { messageOf } from '../../src/platform/errors.ts';
import { codeBlocks, documents, ROOT, readDocument } from './markdown.ts';

const DOCUMENTS = [...documents(), 'CONTRIBUTING.md', 'SECURITY.md'];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Every match of the first group, with its document. */
function named(pattern: RegExp): [document: string, name: string][] {
  return DOCUMENTS.flatMap((path) =>
    [...readDocument(path).matchAll(pattern)].map(([, name = '']): [string, string] => [path, name]),
  );
}

test('every npm script that a document names exists', () => {
  const found = named(/npm run (?:--silent )?([a-z][\w:-]*)/g);
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(([, name]) => scripts[name] === undefined)).toEqual([]);
});

test('every test, bench and deployment file that a document names exists', () => {
  const found = named(/\b((?:test|bench|deploy|machines|src)\/[\w./-]+\.(?:ts|sh|sql|cfg|service|yml|json))\b/g);
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every single test that a document runs by name is in its file', () => {
  const found = named(/`npx vitest run (\S+ -t '[^']+)'`/g).map(
    ([, shown]) => shown.split(" -t '") as [string, string],
  );
  expect(found.length).toBeGreaterThan(0);
  const isThere = ([file, name]: [string, string]) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .some((line) => line.includes("test('") && line.includes(name));
  expect(found.filter((each) => !isThere(each))).toEqual([]);
});

test('every command line of the service in a document parses', async () => {
  const lines = DOCUMENTS.flatMap((path) => codeBlocks(readDocument(path), 'sh').flatMap(commandLines));
  expect(lines.length).toBeGreaterThan(40);
  const rejected: [line: string, why: string][] = [];
  for (const line of lines) {
    await parseCommandLine(wordsOf(line)).catch((error: unknown) => rejected.push([line, messageOf(error)]));
  }
  expect(rejected).toEqual([]);
});

// Helpers

/** The text after the program name, up to a comment, a pipe or the next command. */
function commandLines(block: string): string[] {
  const joined = block.replaceAll(/\\\n\s*/g, '');
  const pattern =
    /(?:^|\s)(?:quittance|node dist\/src\/main\.js)((?: (?![#|<>&;])(?:'[^']*'|"[^"]*"|[^\s'"])+| (?= ))*)/gm;
  return [...joined.matchAll(pattern)].map(([, rest = '']) => rest.trim());
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
}
