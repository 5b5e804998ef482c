import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Numeric user id of the image. */
export const IMAGE_USER = 1000;

/** Folder of the base image that is on its PATH. */
export const PROGRAMS = 'usr/local/bin';

/** One instruction of a Dockerfile with its continued lines joined: `RUN` and its command. */
export interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

/** The instructions between two FROM lines. */
export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

export function parseDockerfile(text: string): Stage[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (keyword === 'FROM') {
      const [, base = '', name = null] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ base, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${keyword} stands before the first FROM`);
      stage.instructions.push({ keyword, rest });
    }
  }
  return stages;
}

/**
 * Runs the COPY and RUN lines of a stage in `root`, a folder that stands for the image's `/`,
 * without isolation and with the packages of this machine. `context` has the files that
 * .dockerignore lets through; `earlier` the roots of other stages.
 */
export function buildStage(
  stage: Stage,
  { root, context, earlier }: { root: string; context: string; earlier: Readonly<Record<string, string>> },
): void {
  let workdir = root;
  mkdirSync(join(root, PROGRAMS), { recursive: true });
  for (const { keyword, rest } of stage.instructions) {
    if (keyword === 'WORKDIR') {
      workdir = join(root, rest);
      mkdirSync(workdir, { recursive: true });
    } else if (keyword === 'COPY') {
      const [, from, words = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
      const paths = words.split(/\s+/);
      const target = paths.pop() ?? '';
      const source = from === undefined ? context : (earlier[from] ?? '');
      for (const path of paths) copy(join(source, path), join(workdir, target), target.endsWith('/'));
    } else if (keyword === 'RUN') {
      // Folders of the image are mapped to `root`.
      run(rest.replaceAll(/ (\/(?:app|data|usr)\b)/g, ` ${root}$1`), workdir);
    }
  }
}

/**
 * Whether .dockerignore lets this path of the context through: it excludes everything and lists
 * exceptions.
 */
export function isInContext(ignore: string, path: string): boolean {
  const kept = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  return kept.some((each) => path === each || path.startsWith(`${each}/`));
}

/** The words of an instruction in JSON form, like `CMD ["node", "main.js"]`. */
export function wordsOf(stage: Stage, keyword: string): string[] {
  const found = stage.instructions.find((each) => each.keyword === keyword)?.rest ?? '';
  return JSON.parse(found.slice(found.indexOf('['))) as string[];
}

/** The variables that ENV sets, unquoted as Docker unquotes them. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    stage.instructions.flatMap(({ keyword, rest }) => (keyword === 'ENV' ? environmentPairs(rest) : [])),
  );
}

export function readProjectFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

// Helpers

/** A part of a value: quoted text, a character after a backslash, or other text without spaces. */
const VALUE_PART = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gy;

/**
 * The pairs of one ENV. Throws for the old form without `=` and for values with other variables,
 * which are not supported here.
 */
function environmentPairs(rest: string): [string, string][] {
  const pairs: [string, string][] = [];
  let left = rest.trim();
  while (left !== '') {
    const name = /^(\w+)=/.exec(left)?.[1];
    if (name === undefined) throw new Error(`ENV ${rest}: "${left}" is no name=value`);
    const parts = [...left.slice(name.length + 1).matchAll(VALUE_PART)];
    const end = name.length + 1 + parts.reduce((length, [part]) => length + part.length, 0);
    if (/\S/.test(left.charAt(end))) throw new Error(`ENV ${rest}: a quote is not closed`);
    pairs.push([name, parts.map(textOfPart).join('')]);
    left = left.slice(end).trimStart();
  }
  return pairs;
}

/** In double quotes a backslash escapes only special characters; in single quotes, nothing. */
function textOfPart([part, double, single, escaped, plain]: RegExpExecArray): string {
  if (/(?<!\\)\$/.test(double ?? plain ?? '')) throw new Error(`ENV: ${part} stands for another variable`);
  return double?.replaceAll(/\\(["$\\])/g, '$1') ?? single ?? escaped ?? plain ?? '';
}

function copy(source: string, target: string, isIntoFolder: boolean): void {
  const isFolder = statSync(source).isDirectory();
  cpSync(source, isIntoFolder && !isFolder ? join(target, basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
  });
}

function run(command: string, cwd: string): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`RUN ${command}: exit ${status}\n${stdout}\n${stderr}`);
}
