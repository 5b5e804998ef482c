import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './markdown.ts';

/** Strings and comments, whichever begins first: a `//` in a string begins no comment. */
const TOKEN = /\/\*.*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gs;

/** In backticks: a name, its calls and its members, such as `createX(deps)` or `Loop.wake()`. */
const NAMED = /`([\w$]+(?:\.\w+|\([^()`]*\))*)`/g;

/** `camelCase`, `PascalCase` with two words at least, `UPPER_CASE` with an underscore. */
const IDENTIFIER = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g;

/** Names that others define. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  balanceOf: 'ERC-20',
  dumpDataDir: '@electric-sql/pglite',
  getEthBalance: 'Multicall3',
};

const FILES = ['machines', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$|DESIGN\.md$/.test(name))
    .map((name) => split(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8'))),
);
const WORDS = new Set(FILES.flatMap(({ code }) => code.match(/\w+/g) ?? []));
const isKnown = (name: string) => WORDS.has(name) || name in ELSEWHERE || name in globalThis;

test('every identifier that a comment or a DESIGN.md names exists in the code', () => {
  expect(FILES.flatMap(namesIn).length).toBeGreaterThan(1_000);
  const gone = FILES.flatMap((file) =>
    namesIn(file)
      .filter((name) => !isKnown(name))
      .map((name) => [file.path, name]),
  );
  expect(gone).toEqual([]);
});

// Helpers

interface Split {
  readonly path: string;
  readonly code: string;
  readonly prose: string;
}

function split(path: string, text: string): Split {
  if (path.endsWith('.md')) return { path, code: '', prose: text };
  const comments: string[] = [];
  const code = text.replace(TOKEN, (token) => (/^\/[/*]/.test(token) ? (comments.push(token), '') : token));
  return { path, code, prose: comments.join('\n') };
}

function namesIn({ prose }: Split): string[] {
  return [...prose.matchAll(NAMED)].flatMap(([, name = '']) => name.match(IDENTIFIER) ?? []);
}
