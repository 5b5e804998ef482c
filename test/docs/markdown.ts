import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The README and all Markdown files in docs/ and its folders, as paths from the root. */
export function documents(): string[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  return ['README.md', ...inDocs.map((name) => `docs/${name}`)];
}

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The contents of the fenced blocks of one language, in order. */
export function codeBlocks(markdown: string, language: string): string[] {
  const fence = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms');
  return [...markdown.matchAll(fence)].map(([, block = '']) => block);
}

/**
 * The rows of the one table with exactly this header, as cells without backticks. Throws when there
 * is no such table, or a row has another number of cells.
 */
export function tableRows(markdown: string, header: readonly string[]): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).join('|') === header.join('|'));
  if (start === -1) throw new Error(`no table has the header ${header.join(' | ')}`);
  const rows: string[][] = [];
  for (let index = start + 2; lines[index]?.startsWith('|'); index += 1) rows.push(cellsOf(lines[index] ?? ''));
  const uneven = rows.find((row) => row.length !== header.length);
  if (uneven !== undefined) throw new Error(`a row has ${uneven.length} cells: ${uneven.join(' | ')}`);
  return rows;
}

/** The anchors that GitHub generates for the headings of a document. */
export function anchorsOf(markdown: string): string[] {
  const withoutCode = markdown.replace(/^ *```.*?^ *```$/gms, '');
  return [...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    return heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  });
}

// Helpers

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));
}
