import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type Lockfile, lockfileProblems } from './lockfile.ts';
import { readAudit, type Severity } from './registry-audit.ts';

/**
 * `npm run check:audit` checks every package in package-lock.json and queries the registry for
 * known vulnerabilities. When the registry cannot be reached it reports that and passes; with
 * CI_REQUIRE_AUDIT=1 it fails. Runs in the root of the repository, where npm starts it.
 */
const LOCKFILE = 'package-lock.json';

const ASKED: readonly { readonly of: string; readonly args: readonly string[]; readonly least: Severity }[] = [
  { of: 'production dependencies', args: ['--omit=dev'], least: 'high' },
  { of: 'all dependencies', args: [], least: 'critical' },
];

const problems = [...lockfileProblems(JSON.parse(await readFile(LOCKFILE, 'utf8')) as Lockfile)];
if (problems.length === 0) console.log(`${LOCKFILE}: sources, checksums, install scripts and licences are allowed`);
for (const { of, args, least } of ASKED) {
  // npm exits with 1 both for vulnerabilities and for a failed request; only its output differs.
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...args], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  const response = readAudit(stdout, least);
  switch (response.kind) {
    case 'clean':
      console.log(
        `npm audit, ${of}: no known vulnerabilities of severity ${least} or higher (${response.packages} packages)`,
      );
      break;
    case 'holes':
      problems.push(...response.holes.map((hole) => `npm audit, ${of}: ${hole}`));
      break;
    case 'unchecked': {
      const message = `npm audit, ${of}: NOTHING WAS CHECKED, because the registry did not respond: ${response.why}`;
      if (process.env.CI_REQUIRE_AUDIT === '1') problems.push(`${message} (CI_REQUIRE_AUDIT=1 forbids that)`);
      else console.log(message);
    }
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
