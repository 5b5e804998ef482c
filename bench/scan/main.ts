import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadMemory } from '../../src/chains/sync/memory.ts';
import { createScanner, type WatchedKeys } from '../../src/chains/utxo/find-watched-outputs.ts';
import { readBlock } from '../../src/chains/utxo/raw-block.ts';
import { BITCOIN_FORMAT } from '../../src/chains/utxo/raw-reader.ts';
import { createWatchedScripts } from '../../src/chains/watched-scripts.ts';
import { createMemoryStore } from '../../test/chains/support/watcher-store.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { measureAttackBlock, measureMempool } from './attack-block.ts';
import { type BigBlock, createBigBlock } from './big-block.ts';

/**
 * CPU time to read one full-size block, verify its merkle root and find the watched outputs in it,
 * by number of watched scripts and by data structure, against two others in the same run:
 *
 * - (a) `JSON.parse` of the same block as `getblock <hash> 2` returns it; nothing is searched or
 *   verified
 * - (b) a floor for any verifier: hex to bytes, and as many native hashes as txids and merkle root
 *   need
 *
 * Rounds alternate and medians are compared, because a shared machine is noisy: read the ratios.
 *
 * Also what an attacker could send to keep a watcher busy: blocks full of outputs to one watched
 * address, where twice as many must cost twice as much, and a mempool full of foreign transactions
 * that carry data.
 */

const WATCHED = [1_000, 10_000, 100_000, 1_000_000];
const { BENCH_ROUNDS: ROUNDS } = readSettings(
  'CPU time to read a full block and find watched outputs in it, against JSON.parse.',
  { BENCH_ROUNDS: 9 },
);
const ATTACK_ROUNDS = 3;
const ATTACK_OUTPUTS = [25_000, 50_000, 100_000];
const MEMPOOL_TRANSACTIONS = 50_000;
/** One output in this many pays us. */
const OURS_EVERY = 1_000;
/** Runs this file as a child that only fills a structure and reports its memory use. */
const MEASURE_MEMORY = '--memory';
const WEIGHED_SCRIPTS = 300_000;
const MERKLE_INPUT_BYTES = 64;
const TXID_INPUT_BYTES = 220;

const STRUCTURES = {
  'set of hex strings': () => new Set<string>(),
  'watched scripts': createWatchedScripts,
} as const;
type Structure = keyof typeof STRUCTURES;

async function main(): Promise<void> {
  const block = createBigBlock();
  const scan = await createScan(block);
  print('');
  print(
    `block of ${megabytes(block.hex.length / 2)}: ${show(block.transactions)} transactions, ${show(block.outputs)} outputs; ` +
      `as verbose JSON ${megabytes(block.json.length)}`,
  );
  print('structure             scripts  bytes each    scan   (a) JSON  (b) floor  (a)/scan  scan-(b)');
  for (const structure of Object.keys(STRUCTURES) as Structure[]) {
    for (const count of WATCHED) {
      const times = measure(block, scan, fill(structure, count, block));
      print(
        structure.padEnd(18) +
          show(count).padStart(11) +
          memoryPerScript(structure, count).padStart(12) +
          [times.scan, times.json, times.floor].map(ms).join('') +
          `${(times.json / times.scan).toFixed(2)} x`.padStart(10) +
          ms(times.scan - times.floor),
      );
    }
  }
  print('');
  for (const outputs of ATTACK_OUTPUTS) {
    const times: number[] = [];
    for (let round = 0; round < ATTACK_ROUNDS; round += 1) times.push(await measureAttackBlock(outputs));
    print(`${show(outputs)} outputs to one address in one block: ${median(times).toFixed(0)} ms`);
  }
  const { bytesEach, idleMs } = await measureMempool(MEMPOOL_TRANSACTIONS);
  print(
    `mempool of ${show(MEMPOOL_TRANSACTIONS)} foreign transactions of 1 kB: ${bytesEach.toFixed(0)} bytes each are kept, ` +
      `a poll with nothing new takes ${idleMs.toFixed(0)} ms`,
  );
}

/** Medians, in milliseconds of CPU. Only the measured structure is in memory. */
function measure(block: BigBlock, scan: (watched: WatchedKeys) => void, watched: WatchedKeys) {
  const times = { scan: [] as number[], json: [] as number[], floor: [] as number[] };
  // The first rounds let the JIT compile.
  for (let round = -2; round < ROUNDS; round += 1) {
    const keep = round >= 0;
    record(times.scan, keep, () => scan(watched));
    record(times.json, keep, () => JSON.parse(block.json));
    record(times.floor, keep, () => hashAsMuch(block));
  }
  return { scan: median(times.scan), json: median(times.json), floor: median(times.floor) };
}

// Helpers

/** Random scripts, and some of the block's own. */
function fill(structure: Structure, count: number, block: BigBlock): WatchedKeys {
  const made = STRUCTURES[structure]();
  for (const [index, script] of block.scripts.entries()) if (index % OURS_EVERY === 0) made.add(script);
  for (let index = made.size; index < count; index += 1) made.add(randomScript());
  return made;
}

function randomScript(): string {
  return `0014${randomBytes(20).toString('hex')}`;
}

/** What a watcher does with a block; counts matches, so that nothing is optimised away. */
async function createScan(block: BigBlock): Promise<(watched: WatchedKeys) => void> {
  const memory = await loadMemory(createMemoryStore(), 1);
  const expected = Math.ceil(block.scripts.length / OURS_EVERY);
  return (watched) => {
    const scanner = createScanner(memory, 'BTC', watched);
    const { outputs } = scanner.scanBlock(readBlock(block.hex, BITCOIN_FORMAT), 1, '00'.repeat(32), Date.now());
    if (outputs.length !== expected) throw new Error(`found ${outputs.length} outputs, expected ${expected}`);
  };
}

function hashAsMuch(block: BigBlock): void {
  const data = Buffer.from(block.hex, 'hex');
  for (const [bytes, times] of [
    [TXID_INPUT_BYTES, block.transactions],
    [MERKLE_INPUT_BYTES, block.transactions],
  ] as const) {
    for (let index = 0; index < times; index += 1) {
      hash('sha256', hash('sha256', data.subarray(index, index + bytes), 'buffer'), 'buffer');
    }
  }
}

function record(times: number[], keep: boolean, run: () => unknown): void {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  if (keep) times.push((user + system) / 1_000);
}

/** In its own process, where nothing else is allocated. */
function memoryPerScript(structure: Structure, count: number): string {
  const file = fileURLToPath(import.meta.url);
  const bytes = execFileSync(process.execPath, ['--expose-gc', file, MEASURE_MEMORY, structure, String(count)]);
  return String(Math.round(Number(bytes.toString()) / count));
}

function measureMemory(structure: Structure, count: number): number {
  // A small structure is too small to measure one copy of it.
  const copies = Math.ceil(WEIGHED_SCRIPTS / count);
  const before = usedBytes();
  const made = Array.from({ length: copies }, () => {
    const one = STRUCTURES[structure]();
    for (let index = 0; index < count; index += 1) one.add(randomScript());
    return one;
  });
  const used = usedBytes() - before;
  if (made.some(({ size }) => size !== count)) throw new Error('scripts were not random');
  return used / copies;
}

function usedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const show = (value: number) => value.toLocaleString('en-US');
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(11);

const [argument, structure, count] = process.argv.slice(2);
if (argument !== MEASURE_MEMORY) await main();
else if (structure === 'set of hex strings' || structure === 'watched scripts')
  print(String(measureMemory(structure, Number(count))));
