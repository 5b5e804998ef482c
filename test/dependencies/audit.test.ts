import { describe, expect, test } from 'vitest';
import { type LockedPackage, type Lockfile, lockfileProblems } from '../../scripts/dependencies/lockfile.ts';
import { readAudit } from '../../scripts/dependencies/registry-audit.ts';

const GOOD: LockedPackage = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
/** Everything the tables allow, so that none of their entries is reported as unused. */
const NEEDED = {
  'node_modules/zeromq': { ...GOOD, hasInstallScript: true },
  'node_modules/memorystream': { version: '0.3.1', integrity: 'sha512-abc' },
};

/** As npm 10 and 11 print them; package names and numbers are made up. */
const RECORDED = {
  rejected:
    '{"message":"405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk","method":"POST","statusCode":405,"body":"","error":{"summary":"","detail":""}}',
  unreachable:
    '{"message":"request to http://127.0.0.1:1/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED 127.0.0.1:1","error":{"summary":"","detail":""}}',
  clean:
    '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{"vulnerabilities":{"info":0,"low":0,"moderate":0,"high":0,"critical":0,"total":0},"dependencies":{"prod":210,"dev":240,"optional":40,"peer":0,"peerOptional":0,"total":459}}}',
  holes:
    '{"auditReportVersion":2,"vulnerabilities":{"leaky":{"name":"leaky","severity":"high","isDirect":false,"via":[],"effects":[],"range":"<2.1.0","nodes":[],"fixAvailable":true},"slow":{"name":"slow","severity":"moderate","isDirect":false,"via":[],"effects":[],"range":"*","nodes":[],"fixAvailable":false}},"metadata":{"vulnerabilities":{"info":0,"low":0,"moderate":1,"high":1,"critical":0,"total":2},"dependencies":{"prod":210,"dev":240,"optional":40,"peer":0,"peerOptional":0,"total":459}}}',
};

describe('the packages in the lockfile', () => {
  test.each<[string, LockedPackage, RegExp]>([
    ['from git', { ...GOOD, resolved: 'git+ssh://git@host.example/bad.git#1' }, /is resolved from git\+ssh/],
    ['from a file', { ...GOOD, resolved: 'file:../bad' }, /is resolved from file:/],
    ['over http', { ...GOOD, resolved: 'http://registry.example/bad.tgz' }, /is resolved from http:/],
    ['linked', { ...GOOD, link: true }, /is a link/],
    ['without checksum', { version: '1.0.0', license: 'MIT' }, /no checksum/],
    ['with a weak checksum', { ...GOOD, integrity: 'sha1-abc' }, /no checksum/],
    ['with an install script', { ...GOOD, hasInstallScript: true }, /runs an install script/],
    ['under another licence', { ...GOOD, license: 'SSPL-1.0' }, /licence SSPL-1\.0/],
    ['without a licence', { version: '1.0.0', integrity: 'sha512-abc' }, /none stated/],
  ])('are rejected %s, also in nested dependencies', (_, locked, problem) => {
    const problems = lockfileProblems(lockfileOf({ 'node_modules/a/node_modules/@b/bad': locked }));
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toMatch(/^@b\/bad 1\.0\.0 /);
  });

  test('may come from any registry over https, and every exception must be needed', () => {
    const resolved = 'https://registry.npmjs.org/good/-/good-1.0.0.tgz';
    expect(lockfileProblems(lockfileOf({ 'node_modules/good': { ...GOOD, resolved } }))).toEqual([]);
    expect(lockfileProblems({ lockfileVersion: 3, packages: {} })).toHaveLength(2);
    expect(lockfileProblems({ lockfileVersion: 2, packages: {} })).toHaveLength(1);
  });
});

describe('the advisories of the registry', () => {
  test('are empty when it refuses or is unreachable', () => {
    expect(readAudit(RECORDED.rejected, 'high')).toMatchObject({
      kind: 'unchecked',
      why: expect.stringContaining('405 Method Not Allowed'),
    });
    expect(readAudit(RECORDED.unreachable, 'high')).toMatchObject({
      kind: 'unchecked',
      why: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('count from the requested severity on', () => {
    expect(readAudit(RECORDED.clean, 'high')).toEqual({ kind: 'clean', packages: 459 });
    expect(readAudit(RECORDED.holes, 'high')).toEqual({ kind: 'holes', holes: ['leaky <2.1.0: high'] });
    expect(readAudit(RECORDED.holes, 'critical')).toEqual({ kind: 'clean', packages: 459 });
    expect(readAudit(RECORDED.holes, 'low')).toMatchObject({ holes: { length: 2 } });
  });

  test.each(['', 'npm error', '{}', '[]', 'null'])('fail the check when they cannot be parsed: %j', (stdout) => {
    expect(() => readAudit(stdout, 'high')).toThrow(/Unexpected npm audit output/);
  });
});

// Helpers

function lockfileOf(packages: Readonly<Record<string, LockedPackage>>): Lockfile {
  return { lockfileVersion: 3, packages: { '': {}, ...NEEDED, ...packages } };
}
