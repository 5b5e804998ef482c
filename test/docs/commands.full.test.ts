import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerBackend } from '../e2e/backends.ts';
import { findFreePort } from '../support/free-port.ts';
import { describeWith } from '../support/run/components.ts';
import { createDocumentShop, type DocumentShop } from './document-shop.ts';
import { createEmptyClone, type EmptyClone } from './empty-clone.ts';
import { codeBlocks, documents, ROOT, readDocument } from './markdown.ts';
import { PROVED_ELSEWHERE, shownCommands } from './shown-commands.ts';

const TIMEOUT_MS = 600_000;
/** Scripts that change nothing in a clone, but for the pixels of pictures. */
const RUN_HERE = [
  'build',
  'format',
  'docs',
  'openapi',
  'contracts',
  'charts',
  'goldens',
  'setup:tests',
  'prepack',
  'screenshots',
];
/** Scripts that another test covers. `npm run verify` runs those that check. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  start: 'README.md',
  test: '.ci/run',
  verify: '.ci/run',
  'demo:litecoin': 'test/e2e/demo-litecoin.full.test.ts',
};
const README = codeBlocks(readDocument('README.md'), 'sh');
/** Address of the README's service; another process of this machine may use the port. */
const README_ADDRESS = '127.0.0.1:8080';

describeWith('curl', 'postgres')('documented commands, run in an empty clone', () => {
  let clone: EmptyClone;
  let address = '';

  beforeAll(async () => {
    clone = createEmptyClone();
    address = `127.0.0.1:${await findFreePort()}`;
  }, TIMEOUT_MS);
  afterAll(() => clone.remove(), TIMEOUT_MS);

  const readme = (text: string): string => {
    const block = README.find((each) => each.includes(text)) ?? `the README has no commands with ${text}`;
    return block.replaceAll(README_ADDRESS, address);
  };
  const port = () => address.split(':')[1] ?? '';

  describe('the README', () => {
    afterAll(() => clone.stop());

    test('installs and starts, and prints the address to open', { timeout: TIMEOUT_MS }, async () => {
      const [first = ''] = readme('npm start').split('\n');
      expect(first).toMatch(/^npm ci && npm start +#/);
      await clone.start(first, `Open http://${address}/?show=`, { PORT: port() });
    });

    test('creates a payment and simulates its payment', () => {
      const create = readme('/v1/transactions/create');
      const created = JSON.parse(clone.run(create)) as { readonly data: Readonly<Record<string, string>> };
      expect(created.data).toMatchObject({ status: 'pending', amount_fiat: 25.5, currency_fiat: 'EUR' });
      const [key = ''] = create.split('\n');
      const paid = clone.run(`${key}\nID=${created.data.transaction_id}\n${readme('/simulate')}`);
      expect(JSON.parse(paid)).toMatchObject({ data: { status: 'awaiting_confirmation' } });
    });
  });

  describe('every npm script', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const names = Object.keys(scripts);
    const explained = names.filter((name) => name.startsWith('bench:') || ['chaos', 'release'].includes(name));

    test('is run here or elsewhere', () => {
      const there = Object.keys(RUN_ELSEWHERE);
      const checked = names.filter((name) => name.startsWith('check:'));
      expect([...explained, ...RUN_HERE, ...there, ...checked].sort()).toEqual(names.sort());
      for (const [name, file] of Object.entries(RUN_ELSEWHERE)) {
        expect(readDocument(file), name).toMatch(new RegExp(`npm (run )?${name}\\b`));
      }
    });

    test.each(RUN_HERE)('%s', { timeout: TIMEOUT_MS }, (name) => {
      clone.run(`npm run ${name}`);
    });

    test.each(explained)('%s is described', { timeout: TIMEOUT_MS }, (name) => {
      expect(clone.run(`npm run --silent ${name} -- --help`)).toMatch(/^\S.{20}/);
    });
  });

  describe('the documents', () => {
    let backend: Awaited<ReturnType<typeof createServerBackend>>;
    let shop: DocumentShop;

    beforeAll(async () => {
      backend = await createServerBackend();
      shop = await createDocumentShop(clone, { address, env: backend.env });
    }, TIMEOUT_MS);
    afterAll(async () => {
      await clone.stop();
      await backend.remove();
    });

    const commands = documents().flatMap(shownCommands);

    test('contain no command that is neither run here nor elsewhere', () => {
      expect(commands.length).toBeGreaterThan(60);
      const unused = PROVED_ELSEWHERE.filter(([, pattern]) => !commands.some(({ line }) => pattern.test(line)));
      expect(unused).toEqual([]);
    });

    const run = commands.filter(({ line }) => !PROVED_ELSEWHERE.some(([, pattern]) => pattern.test(line)));
    test.each(run)('$document: $line', { timeout: TIMEOUT_MS }, ({ document, line }) => shop.run(document, line));
  });
});
