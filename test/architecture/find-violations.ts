import { posix } from 'node:path';
import { FOLDER_RULES, MACHINE_PACKAGES, PACKAGE_OWNERS } from './allowed-imports.ts';

/** A source file: its path from the repository root with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly specifier: string;
  /** The imported names as exported; `*` when the whole module is imported. */
  readonly names: readonly string[];
}

/**
 * One sentence per violation, naming the file, the import and the rule. Empty when every import is
 * allowed.
 */
export function findViolations(files: readonly SourceFile[]): string[] {
  const indexFiles = new Set(files.map((file) => file.path).filter((path) => posix.basename(path) === 'index.ts'));
  return files.flatMap((file) =>
    importsOf(file.text).flatMap((found) => {
      const problem = found.specifier.startsWith('.')
        ? problemWithFile(file.path, found, indexFiles)
        : problemWithPackage(file.path, found.specifier);
      return problem === undefined ? [] : [`${file.path} imports ${found.specifier}: ${problem}`];
    }),
  );
}

/** One sentence per file whose folder the table does not name. */
export function findUnruledFiles(files: readonly SourceFile[]): string[] {
  const ruled = new Set(FOLDER_RULES.map(({ folder }) => folder));
  return files
    .filter(({ path }) => !ruled.has(folderOf(path) ?? ''))
    .map(({ path }) => `${path} lies in a folder without a row in test/architecture/allowed-imports.ts; add one`);
}

/** One sentence per `index.ts` that exports with `*` instead of by name. */
export function findWildcardIndexes(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => posix.basename(path) === 'index.ts' && /^export\s+\*/m.test(text))
    .map(({ path }) => `${path} exports *: name what it exports`);
}

/** The table row of a path, or `undefined` outside `machines/` and `src/`. */
function folderOf(path: string): string | undefined {
  const [top, ...folders] = path.split('/').slice(0, -1);
  if (top === 'machines') return 'machines';
  if (top !== 'src') return undefined;
  if (folders.length === 0) return posix.basename(path) === 'main.ts' ? 'main' : undefined;
  return folders.slice(0, GROUPS.has(folders[0] ?? '') ? 2 : 1).join('/');
}

/**
 * Static imports, re-exports and dynamic imports in text order. The formatter puts every static one
 * at the start of a line, so a line-anchored expression finds them all without a parser.
 */
export function importsOf(text: string): Import[] {
  const statements = /^(?:import|export)\s+(?:type\s+)?(?:([\w$*{},\s]+?)\s+from\s+)?['"]([^'"]+)['"]/gm;
  const calls = /^(?!\s*(?:\/\/|\*)).*?\bimport\(\s*['"]([^'"]+)['"]/gm;
  return [
    ...[...text.matchAll(statements)].map(([, clause, specifier = '']) => ({ specifier, names: namesIn(clause) })),
    ...[...text.matchAll(calls)].map(([, specifier = '']) => ({ specifier, names: ['*'] })),
  ];
}

// Helpers

/** Folders whose folders have rows of their own. */
const GROUPS = new Set(['platform', 'http']);

function namesIn(clause: string | undefined): string[] {
  const braced = clause?.match(/^\{([^}]*)\}$/)?.[1];
  if (braced === undefined) return ['*'];
  const names = braced.split(',').map((name) => name.trim().replace(/^type\s+/, ''));
  return names.map((name) => name.split(/\s+as\s+/)[0] ?? name).filter((name) => name !== '');
}

function problemWithFile(importer: string, { specifier, names }: Import, indexFiles: ReadonlySet<string>) {
  const target = posix.join(posix.dirname(importer), specifier);
  if (target.endsWith('.json')) return undefined;
  const [from, to] = [folderOf(importer), folderOf(target)];
  if (to === undefined) return 'product code imports nothing outside machines/ and src/';
  const rule = FOLDER_RULES.find((row) => row.folder === from);
  if (rule === undefined) return `${from} has no row in test/architecture/allowed-imports.ts; add one`;
  if (from !== to && !rule.mayImport.includes(to)) {
    const allowed = rule.mayImportNames?.[to];
    if (allowed === undefined) return `${from} may not import ${to}, because ${rule.because}`;
    const rejected = names.filter((name) => !allowed.includes(name));
    if (rejected.length > 0) return `${from} may not import ${rejected.join(', ')} of ${to}, because ${rule.because}`;
  }
  if (rule.mayEnter?.test(target)) return undefined;
  const index = bypassedIndex(importer, target, indexFiles);
  return index && `another folder is imported through ${index}`;
}

/** The `index.ts` that should have been imported instead, outermost folder first. */
function bypassedIndex(importer: string, target: string, indexFiles: ReadonlySet<string>): string | undefined {
  const folders = target.split('/').slice(0, -1);
  return folders
    .map((_, depth) => folders.slice(0, depth + 1).join('/'))
    .filter((folder) => !importer.startsWith(`${folder}/`))
    .map((folder) => `${folder}/index.ts`)
    .find((index) => indexFiles.has(index) && index !== target);
}

function problemWithPackage(importer: string, specifier: string): string | undefined {
  if (isPackage(specifier, 'quittance')) return 'the project imports itself by relative path';
  if (folderOf(importer) === 'machines' && !MACHINE_PACKAGES.some((name) => isPackage(specifier, name))) {
    return `machines/ may import only ${MACHINE_PACKAGES.join(', ')} and itself`;
  }
  const owned = Object.entries(PACKAGE_OWNERS).find(([name]) => isPackage(specifier, name));
  if (owned === undefined || owned[1].some((owner) => importer.startsWith(owner))) return undefined;
  return `${owned[0]} belongs to ${owned[1].join(', ')}`;
}

function isPackage(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith('/') ? name : `${name}/`);
}
