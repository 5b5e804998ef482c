import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, documents, ROOT, readDocument } from './markdown.ts';

/** `[text](target)`, except images of badges and targets with a scheme. */
const LINK = /\]\((?![a-z][a-z+.-]*:)([^)\s]+)\)/g;

describe('links in the documents', () => {
  test.each(documents())('every relative link in %s points to a file, and to a heading if it names one', (document) => {
    const broken = linksOf(document).filter((link) => !resolves(document, link));
    expect(broken).toEqual([]);
  });

  test('links are found at all', () => {
    expect(documents().flatMap(linksOf).length).toBeGreaterThan(10);
  });
});

// Helpers

function linksOf(document: string): string[] {
  const prose = readDocument(document)
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)].map(([, link = '']) => link);
}

function resolves(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(readDocument(target)).includes(anchor);
}
