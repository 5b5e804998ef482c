import { describe, expect, it } from 'vitest';
import { FOLDER_RULES } from './allowed-imports.ts';
import {
  findUnruledFiles,
  findViolations,
  findWildcardIndexes,
  importsOf,
  type SourceFile,
} from './find-violations.ts';

describe('the table', () => {
  it('lets a folder import only from rows above its own', () => {
    const order = FOLDER_RULES.map((rule) => rule.folder);
    for (const { folder, mayImport, mayImportNames = {} } of FOLDER_RULES) {
      const above = order.slice(0, order.indexOf(folder));
      expect(above, folder).toEqual(expect.arrayContaining([...mayImport, ...Object.keys(mayImportNames)]));
    }
  });
});

describe('the checker', () => {
  it.each([
    [
      'src/platform/engine/deliver.ts',
      "import { pay } from '../../payments/index.ts';",
      'engine may not import payments',
    ],
    [
      'src/platform/engine/a.ts',
      "import type { Quote } from '../../../machines/index.ts';",
      'not import Quote of machines',
    ],
    [
      'src/chains/utxo/watch.ts',
      "import type { Database } from '../../platform/db/index.ts';",
      'chains may not import platform/db',
    ],
    ['src/http/console/server.ts', "const api = await import('../api/index.ts');", 'console may not import http/api'],
    ['src/platform/engine/deliver.ts', "import { run } from '../../../test/support/skip.ts';", 'nothing outside'],
    ['src/new-folder/a.ts', "import { a } from '../platform/clock.ts';", 'add one'],
    ['machines/delivery/rules.ts', "import { readFile } from 'node:fs/promises';", 'may import only xstate'],
    [
      'src/platform/engine/outbox.ts',
      "import { connect } from '@nats-io/transport-node';",
      'belongs to src/platform/bus/nats/',
    ],
    ['src/payments/create.ts', "import { machine } from 'quittance/machines';", 'by relative path'],
  ])('rejects in %s the line: %s', (path, text, reason) => {
    expect(findViolations([{ path, text }])).toEqual([
      expect.stringMatching(new RegExp(`^${path} imports .*${reason}`)),
    ]);
  });

  it.each([
    [
      'src/platform/engine/deliver.ts',
      "import { statePath, type UnixMs as Moment } from '../../../machines/index.ts';",
    ],
    [
      'src/platform/bus/nats/bus.ts',
      "import { connect } from '@nats-io/transport-node';\nimport { log } from '../../log.ts';",
    ],
    ['src/cli/help.ts', "import pkg from '../../package.json' with { type: 'json' };"],
    [
      'machines/delivery/machine.ts',
      "import { setup } from 'xstate';\nimport { DAY_MS } from '../vocabulary/time.ts';",
    ],
  ])('accepts in %s the lines: %s', (path, text) => {
    expect(findViolations([{ path, text }])).toEqual([]);
  });

  it('rejects an import that bypasses the index of another folder, but not of a parent folder', () => {
    const index: SourceFile = { path: 'src/platform/db/index.ts', text: "export { connect } from './connect.ts';" };
    const inside: SourceFile = {
      path: 'src/platform/db/tables/actor.ts',
      text: "import { connect } from '../connect.ts';",
    };
    const outside: SourceFile = {
      path: 'src/platform/engine/a.ts',
      text: "import { connect } from '../db/connect.ts';",
    };
    expect(findViolations([index, inside])).toEqual([]);
    expect(findViolations([index, outside])).toEqual([
      'src/platform/engine/a.ts imports ../db/connect.ts: another folder is imported through src/platform/db/index.ts',
    ]);
  });

  it('lets pages enter the console for the types of its routes, and nowhere else', () => {
    const index: SourceFile = { path: 'src/http/console/index.ts', text: '' };
    const page = (path: string): SourceFile => ({ path: 'src/web/a.ts', text: `import type { A } from '${path}';` });
    expect(findViolations([index, page('../http/console/merchant/keys/schemas.ts')])).toEqual([]);
    expect(findViolations([index, page('../http/console/merchant/keys/routes.ts')])).toEqual([
      expect.stringContaining('imported through src'),
    ]);
  });

  it('rejects a file in a folder without a row, whatever it imports', () => {
    const files = ['src/platform/engine/a.ts', 'src/main.ts', 'src/new-folder/a.ts'].map((path) => ({
      path,
      text: '',
    }));
    expect(findUnruledFiles(files)).toEqual([
      'src/new-folder/a.ts lies in a folder without a row in test/architecture/allowed-imports.ts; add one',
    ]);
  });

  it('rejects an index with a star export, but not another file with one', () => {
    const text = "export * from './connect.ts';";
    expect(findWildcardIndexes([{ path: 'src/platform/db/all.ts', text }])).toEqual([]);
    expect(findWildcardIndexes([{ path: 'src/platform/db/index.ts', text }])).toEqual([
      'src/platform/db/index.ts exports *: name what it exports',
    ]);
  });

  it('finds an import in every syntax', () => {
    const text = [
      "import 'a';",
      "import b, { type B } from 'b';",
      "import * as c from 'c';",
      'import type {\n  D,\n} from "d";',
      "export { e } from 'e';",
      "export * from 'f';",
      "const g = await import('g');",
      "export const notAnImport = 'h';",
      " * import { i } from 'i';",
    ].join('\n');
    expect(importsOf(text).map((found) => found.specifier)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(importsOf(text).map((found) => found.names.join())).toEqual(['*', '*', '*', 'D', 'e', '*', '*']);
  });
});
