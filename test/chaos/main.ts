import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireComponent } from '../support/run/components.ts';
import type { Finding } from './checker/violation.ts';
import { finding } from './checker/violation.ts';
import { createEnvironment, type Environment } from './environment/environment.ts';
import { type Reaper, startReaper } from './environment/reaper.ts';
import { createWorkspace } from './environment/workspace.ts';
import { describeLeftOut } from './faults/storm.ts';
import { type ChaosOptions, readOptions, USAGE } from './options.ts';
import { isClean, verdictLines } from './report.ts';
import { runChaos } from './run.ts';
import { createTimeline } from './timeline.ts';

/**
 * `npm run chaos`: payments on a real Litecoin chain, a real Ethereum chain and the simulated
 * network while processes are killed, servers restart, lines break, disks are full, the power is
 * cut, blocks are undone and clocks jump; then every payment, webhook and journal is checked. See
 * docs/contributors/chaos.md. Exits 1 when anything is wrong, 2 when the run could not take place.
 */
async function main(): Promise<void> {
  if (process.argv[2] === '--help') return console.log(USAGE);
  const options = readOptions(process.argv.slice(2));
  requireServers();
  const reaper = startReaper();
  try {
    const isGood = await play(options, reaper);
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await reaper.reap();
  }
  // Also closes the lines and connections of this process.
  process.exit();
}

// Helpers

function requireServers(): void {
  for (const name of ['litecoind', 'anvil', 'natsServer', 'postgresPrograms'] as const) requireComponent(name);
}

async function play(options: ChaosOptions, reaper: Reaper): Promise<boolean> {
  const { folder, servers } = createWorkspace(reaper);
  const timeline = createTimeline(join(folder, 'timeline.log'), print);
  timeline.log(`seed ${options.seed}: ${options.payments} payments, ${options.reorganisations} reorganisations`);
  timeline.log(`faults: ${[...options.only].join(', ')}`);
  let environment: Environment | null = null;
  let findings: readonly Finding[];
  try {
    environment = await createEnvironment({ folder, servers, seed: options.seed, reaper });
    if (!environment.disks.postgres.canBeFull)
      timeline.log('nothing can be mounted here: disk-postgres is a trigger that raises the error');
    for (const line of describeLeftOut(environment, options.only)) timeline.log(line);
    if (options.only.has('power-nats') && environment.disks.nats.power !== null && !environment.nats.isSynced)
      timeline.log('NATS is older than 2.10 and cannot sync each message: power cuts lose some that it acknowledged');
    findings = await runChaos({ options, environment, timeline });
  } catch (error) {
    findings = [
      finding('the run goes through', 1, [error instanceof Error ? (error.stack ?? error.message) : String(error)]),
    ];
  }
  environment?.fleet.abandon();
  const verdict = [...verdictLines(findings), '', `faults: ${countsOf(timeline.counts())}`, `seed: ${options.seed}`];
  print(`\n${verdict.join('\n')}`);
  timeline.close();
  if (isClean(findings)) return true;
  writeFileSync(join(folder, 'verdict.txt'), `${verdict.join('\n')}\n`);
  keep(folder, servers, environment, reaper);
  return false;
}

/** Keeps logs, timeline, verdict and the database, but not the servers' own files. */
function keep(folder: string, servers: string, environment: Environment | null, reaper: Reaper): void {
  reaper.keep(folder);
  reaper.folder(servers);
  print(`\nKept in ${folder}: verdict.txt, timeline.log, and a log of every process.`);
  try {
    environment?.postgres.dump(join(folder, 'database.dump'));
    print(`The database: createdb chaos && pg_restore -d chaos ${join(folder, 'database.dump')}`);
    print(
      "A payment's history: select sequence, event_type, outcome, state, at, event from journal_entry where actor_id = '…'",
    );
  } catch (error) {
    print(`The database could not be kept: ${String(error)}`);
    rmSync(join(folder, 'database.dump'), { force: true });
  }
  print('The same plans and faults again: npm run chaos -- --seed <seed> with the same --payments, --round and --only');
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 2;
});
