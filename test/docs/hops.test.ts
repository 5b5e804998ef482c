import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The two columns of the table "Hop by hop" in docs/architecture.md. */
function readPaths(): readonly (readonly string[])[] {
  const [, section = ''] = read('docs/architecture.md').split('### Hop by hop');
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const [head = '', , ...rows] = table.split('\n').filter((line) => line !== '');
  const cells = rows.map((row) => row.split('|').slice(1, -1));
  return head
    .split('|')
    .slice(1, -1)
    .map((_, column) => cells.map((row) => row[column]?.trim() ?? ''));
}

/** `path`: `name`, or the handler of a route. */
function readHop(hop: string): { readonly path: string; readonly name: string | undefined } {
  const [, path = '', name] = /^`([^`]+\.ts)`: (?:`(\w+)`|handler$)/.exec(hop) ?? [];
  expect(path, hop).not.toBe('');
  return { path, name };
}

/** A call by name, or of the port that the observation sink is behind. */
function callOf({ name }: ReturnType<typeof readHop>): RegExp {
  return name === 'send' ? /\bsink\b/ : new RegExp(`\\b${name}\\(`);
}

test.each(readPaths().map((hops) => [hops.at(0) ?? '', hops] as const))(
  'the path that starts at %s has at most six hops, all of them in the code',
  (_, hops) => {
    expect(hops.length).toBeGreaterThan(1);
    expect(hops.length).toBeLessThanOrEqual(6);
    for (const [index, hop] of hops.entries()) {
      const { path, name } = readHop(hop);
      const source = read(`src/${path}`);
      if (name !== undefined) expect(source).toMatch(new RegExp(`function ${name}\\b|\\b${name}: |async ${name}\\(`));
      const next = hops[index + 1];
      // Between publishing and handling lies the bus.
      if (next !== undefined && !hop.includes('which publishes')) expect(source, hop).toMatch(callOf(readHop(next)));
    }
  },
);

test('both buses call handlers through the delivery policy that the text names', () => {
  const [, section = ''] = read('docs/architecture.md').split('### Hop by hop');
  expect(section).toContain('through `attempt` (`platform/bus/attempt.ts`)');
  for (const bus of ['local/create-local-bus.ts', 'nats/receiver.ts']) {
    expect(read(`src/platform/bus/${bus}`), bus).toMatch(/\battempt\(/);
  }
});

test('both paths exist', () => {
  expect(readPaths()).toHaveLength(2);
});
