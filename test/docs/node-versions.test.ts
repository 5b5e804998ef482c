import { describe, expect, test } from 'vitest';
import { nodeVersion } from '../../src/cli/doctor/checks/machine.ts';
import { parseDockerfile } from '../deploy/dockerfile.ts';
import { TESTED_NODE_MAJORS } from '../support/run/node-versions.ts';
import { readDocument } from './markdown.ts';

const OLDEST = TESTED_NODE_MAJORS[0];
const { engines, devDependencies } = JSON.parse(readDocument('package.json')) as {
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
};
/** `20.19` of `>=20.19`. */
const LEAST = engines.node.replace('>=', '');
const IMAGE_MAJORS = parseDockerfile(readDocument('Dockerfile')).map(({ base }) => majorIn(base, /^node:(\d+)-/));

describe('the tested Node versions', () => {
  test('are listed in ascending order, each once', () => {
    expect(TESTED_NODE_MAJORS).toEqual([...new Set(TESTED_NODE_MAJORS)].toSorted((one, other) => one - other));
  });

  test('include the version of the image, which docs/operators/deploying.md names', () => {
    expect(IMAGE_MAJORS.length).toBeGreaterThan(0);
    for (const major of IMAGE_MAJORS) expect(TESTED_NODE_MAJORS).toContain(major);
    expect(majorIn(readDocument('docs/operators/deploying.md'), /^- \*\*Node (\d+)\*\*/m)).toBe(IMAGE_MAJORS.at(-1));
  });

  test('start with the oldest that package.json allows, which the types are for', () => {
    expect(majorIn(engines.node, /^>=(\d+)\.\d+$/)).toBe(OLDEST);
    expect(majorIn(devDependencies['@types/node'] ?? '', /^\^(\d+)\./)).toBe(OLDEST);
  });

  test('are listed in the README, with the oldest supported one', () => {
    const listed = `${TESTED_NODE_MAJORS.slice(0, -1).join(', ')} and ${TESTED_NODE_MAJORS.at(-1)}`;
    const sentence = `needs Node ${LEAST} or newer and nothing else; Node ${listed} are tested.`;
    expect(readDocument('README.md')).toContain(sentence);
    expect(readDocument('docs/operators/starting.md')).toContain(`Node ${LEAST} or newer.`);
  });

  test('are those that the doctor accepts', () => {
    expect(nodeVersion(`${LEAST}.0`).level).toBe('ok');
    for (const major of TESTED_NODE_MAJORS.slice(1)) expect(nodeVersion(`${major}.0.0`).level).toBe('ok');
    expect(nodeVersion(`${OLDEST - 1}.99.0`).level).not.toBe('ok');
  });
});

// Helpers

function majorIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]);
}
