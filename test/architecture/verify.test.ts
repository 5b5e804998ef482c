import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compile } from '../support/run/compiled.ts';

describe('npm run verify', () => {
  const verify = compile('scripts/verify/main.ts');
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-verify-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (scripts: Record<string, string>) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
    return spawnSync(process.execPath, [verify], { cwd: folder, encoding: 'utf8' });
  };

  it('runs every check to its end, prints its output, and fails with the names of the failed ones', () => {
    const { status, stdout, stderr } = run({
      'check:a': 'echo from a',
      'check:b': 'echo from b >&2; exit 3',
      'check:c': 'no-such-program-of-quittance',
      'check:d': 'npm run --silent build && echo from d',
      other: 'exit 1',
    });
    expect(status).toBe(1);
    for (const name of ['a', 'b', 'd']) expect(stdout).toContain(`from ${name}\n`);
    expect(stdout).toContain('2 checks passed, 2 failed');
    expect(stderr.trim().split('\n').sort()).toEqual(['failed: npm run check:b', 'failed: npm run check:c']);
  });

  it('passes when every check does', () => {
    const { status, stdout, stderr } = run({ 'check:a': 'exit 0' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('1 checks passed, 0 failed');
  });
});
