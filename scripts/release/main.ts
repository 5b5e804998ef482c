import { parseArgs } from 'node:util';
import { messageOf } from '../../src/platform/errors.ts';
import { npmVerify, release } from './release.ts';

/**
 * `npm run release -- 0.2.0`; `--dry-run` only prints what it would do. Runs in the root of the
 * repository, where npm starts it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const USAGE = 'npm run release -- 0.2.0 [--dry-run]';
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [version] = positionals;
const root = process.cwd();
try {
  if (version === undefined || positionals.length > 1) throw new Error(`Pass one version: ${USAGE}`);
  const day = new Date().toISOString().slice(0, 10);
  release({ root, verify: npmVerify(root), print: console.log }, { version, day, isDry: values['dry-run'] });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
