import { setImmediate } from 'node:timers/promises';
import { findingsInBlocks } from '../../src/chains/sync/findings.ts';
import { loadMemory } from '../../src/chains/sync/memory.ts';
import { createScanner } from '../../src/chains/utxo/find-watched-outputs.ts';
import { createMempoolMirror } from '../../src/chains/utxo/mempool.ts';
import type { UtxoNode } from '../../src/chains/utxo/node.ts';
import { readBlock } from '../../src/chains/utxo/raw-block.ts';
import { BITCOIN_FORMAT } from '../../src/chains/utxo/raw-reader.ts';
import { readTransaction } from '../../src/chains/utxo/raw-transaction.ts';
import { buildBlock, buildTransaction } from '../../test/chains/support/raw-builder.ts';
import { createMemoryStore } from '../../test/chains/support/watcher-store.ts';

/**
 * What an attacker could send to keep a watcher busy: a block full of outputs to one address, and a
 * full mempool.
 */

const OUTPUTS_PER_TRANSACTION = 5_000;
const OUR_SCRIPT = `0014${'aa'.repeat(20)}`;
const FOREIGN_SCRIPT = `0014${'bb'.repeat(20)}`;
const CARRIED_BYTES = 1_000;
const PARENT = '11'.repeat(32);
const NOW = 1_780_000_000_000;

/**
 * Milliseconds of CPU from the bytes of a block to its observations; every output was in the
 * mempool before.
 */
export async function measureAttackBlock(outputs: number): Promise<number> {
  const watched = new Set([OUR_SCRIPT]);
  const paid = Array.from({ length: outputs / OUTPUTS_PER_TRANSACTION }, (_, index) => {
    const each = { scriptHex: OUR_SCRIPT, valueBaseUnits: 1_000n };
    return buildTransaction(
      [outpoint(index)],
      Array.from({ length: OUTPUTS_PER_TRANSACTION }, () => each),
    );
  });
  const { hex } = buildBlock(PARENT, 1, NOW / 1_000, 1, paid);
  const memory = await loadMemory(createMemoryStore(), 10);
  for (const output of createScanner(memory, 'BTC', watched).scanBlock(readBlock(hex, BITCOIN_FORMAT), 1, '', NOW)
    .outputs) {
    memory.unsettled.set(output.outputId, { output, wasReorged: false });
    memory.reported.set(output.outputId, { kind: 'mempool' });
  }
  const start = process.cpuUsage();
  memory.chain.append(createScanner(memory, 'BTC', watched).scanBlock(readBlock(hex, BITCOIN_FORMAT), 1, '00', NOW));
  const findings = findingsInBlocks(memory);
  const took = cpuMs(start);
  if (findings.length !== outputs) throw new Error(`${findings.length} of ${outputs} outputs were found`);
  return took;
}

export interface MempoolMeasure {
  readonly bytesEach: number;
  readonly idleMs: number;
}

/**
 * Memory used by a mempool of foreign transactions that carry data, and the cost of a poll with
 * nothing new.
 */
export async function measureMempool(transactions: number): Promise<MempoolMeasure> {
  const memory = await loadMemory(createMemoryStore(), 10);
  const watchSet = { refresh: async () => {}, has: () => false };
  const txids = Array.from({ length: transactions }, (_, index) => made(index).txid);
  const node = {
    mempool: async () => ({ txids: JSON.parse(JSON.stringify(txids)), isLoaded: true, bestBlockHash: PARENT }),
    transactions: async (ids: readonly string[]) =>
      ids.map((txid) => readTransaction(made(indexOf.get(txid) ?? 0).hex, BITCOIN_FORMAT)),
  } as Pick<UtxoNode, 'mempool' | 'transactions'> as UtxoNode;
  const indexOf = new Map(txids.map((txid, index) => [txid, index]));
  const mirror = createMempoolMirror(node, 'BTC', { now: () => NOW });
  const before = await usedBytes();
  await mirror.refresh(PARENT, memory, watchSet);
  const bytesEach = ((await usedBytes()) - before) / transactions;
  const start = process.cpuUsage();
  await mirror.refresh(PARENT, memory, watchSet);
  mirror.present(memory);
  return { bytesEach, idleMs: cpuMs(start) };
}

// Helpers

function made(index: number) {
  const data = `6a4d${uint16(CARRIED_BYTES)}${'cc'.repeat(CARRIED_BYTES)}`;
  const outputs = [
    { scriptHex: FOREIGN_SCRIPT, valueBaseUnits: 1_000n },
    { scriptHex: data, valueBaseUnits: 0n },
  ];
  return buildTransaction([outpoint(index)], outputs);
}

function outpoint(index: number): string {
  return `${index.toString(16).padStart(64, '0')}:0`;
}

function uint16(value: number): string {
  return Buffer.from([value & 0xff, value >>> 8]).toString('hex');
}

function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function usedBytes(): Promise<number> {
  // Buffer memory is freed one event loop turn later.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
