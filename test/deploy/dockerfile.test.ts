import { describe, expect, test } from 'vitest';
import { environmentOf, parseDockerfile } from './dockerfile.ts';

describe('the variables of a Dockerfile', () => {
  test.each([
    ['A=1 B=2', { A: '1', B: '2' }],
    ['NODE_OPTIONS=--max-old-space-size=128 ARENAS=2', { NODE_OPTIONS: '--max-old-space-size=128', ARENAS: '2' }],
    ['A="one two=2" B=', { A: 'one two=2', B: '' }],
    [`A='one "two" \\' B=on"e t"wo`, { A: 'one "two" \\', B: 'one two' }],
    ['A=one\\ two B="\\"\\n\\\\\\$" C=\\$', { A: 'one two', B: '"\\n\\$', C: '$' }],
    ['A=1 \\\n  B=2', { A: '1', B: '2' }],
  ])('%j', (rest, variables) => {
    expect(read(rest)).toEqual(variables);
  });

  test('are collected from every ENV, the last value of each name', () => {
    expect(read('A=1 B=1\nUSER 1\nENV B=2')).toEqual({ A: '1', B: '2' });
  });

  test.each(['A', 'A 1', 'A="1', "A=1'", 'A=1 2', 'A=$B', 'A="$B"'])('are rejected when they are %j', (rest) => {
    expect(() => read(rest)).toThrow('ENV');
  });
});

// Helpers

function read(rest: string): Record<string, string> {
  const [stage] = parseDockerfile(`FROM node\nENV ${rest}\n`);
  if (stage === undefined) throw new Error('there is a stage');
  return environmentOf(stage);
}
