import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  buildStage,
  IMAGE_USER,
  isInContext,
  PROGRAMS,
  parseDockerfile,
  readProjectFile,
  wordsOf,
} from './dockerfile.ts';

const STAGES = parseDockerfile(readProjectFile('Dockerfile'));
const [BUILD, IMAGE] = STAGES;
if (BUILD === undefined || IMAGE === undefined) throw new Error('The Dockerfile has two stages');
const CONTEXT = resolve(import.meta.dirname, '../..');

describe('the Dockerfile', () => {
  test('copies nothing that .dockerignore excludes', () => {
    const ignore = readProjectFile('.dockerignore');
    const copied = BUILD.instructions.flatMap(({ keyword, rest }) =>
      keyword === 'COPY' ? rest.split(' ').slice(0, -1) : [],
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect(isInContext(ignore, path), path).toBe(true);
      expect(existsSync(join(CONTEXT, path)), path).toBe(true);
    }
    for (const secret of ['.env', 'data/secrets.key', '.git/config', 'test']) {
      expect(isInContext(ignore, secret)).toBe(false);
    }
  });

  test('runs as a numeric user, pins one line of Node, and has a health check', () => {
    expect(IMAGE.instructions.find(({ keyword }) => keyword === 'USER')?.rest).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
    expect(STAGES.map(({ base }) => base)).toEqual([BUILD.base, BUILD.base]);
    expect(wordsOf(IMAGE, 'HEALTHCHECK')).toEqual(['node', 'deploy/healthcheck.js']);
  });

  test('has `quittance` as a command on PATH and as the default command', () => {
    const root = mkdtempSync(join(tmpdir(), 'quittance-command-'));
    try {
      const program = join(root, 'app/dist/quittance/main.js');
      mkdirSync(join(root, 'app/dist/quittance'), { recursive: true });
      const [interpreter = ''] = readFileSync(join(CONTEXT, 'src/main.ts'), 'utf8').split('\n');
      writeFileSync(program, `${interpreter}\nconsole.log(process.argv.slice(2).join(' '));\n`);
      const linking = IMAGE.instructions.filter(({ keyword, rest }) => keyword === 'WORKDIR' || /\bln -s\b/.test(rest));
      buildStage({ ...IMAGE, instructions: linking }, { root, context: CONTEXT, earlier: {} });

      const [command = '', ...more] = [...wordsOf(IMAGE, 'ENTRYPOINT'), ...wordsOf(IMAGE, 'CMD')];
      expect([command, ...more]).toEqual(['quittance']);
      const env = { PATH: `${join(root, PROGRAMS)}:${process.env.PATH}` };
      const { stdout } = spawnSync(command, ['key', 'list'], { env, encoding: 'utf8' });
      expect(stdout).toBe('key list\n');
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('the health check', () => {
  test.each([
    ['a worker without a monitor has no door', { ROLES: 'worker' }, 0],
    ['no process listens', { PORT: '1' }, 1],
    ['no process listens on the monitor', { ROLES: 'worker', MONITOR_PORT: '1', MONITOR_HOST: '0.0.0.0' }, 1],
  ])('%s', (_name, env, status) => {
    const check = join(CONTEXT, 'deploy/healthcheck.js');
    expect(spawnSync(process.execPath, [check], { env: { PATH: process.env.PATH, ...env } }).status).toBe(status);
  });
});
