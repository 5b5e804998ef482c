import { setImmediate } from 'node:timers/promises';
import type { UnixMs } from '../../../machines/index.ts';
import type { WatcherStore } from '../port.ts';
import { beginScan } from '../sync/begin-scan.ts';
import { findingsInBlocks, findingsInMempool } from '../sync/findings.ts';
import { findingsGone } from '../sync/gone-outputs.ts';
import { forgetOldReports, type WatcherMemory } from '../sync/memory.ts';
import type { Finding, Reporter } from '../sync/reporter.ts';
import { type DisconnectDeps, disconnectReorged, withoutRecordedBelow } from './disconnect-reorged.ts';
import { createScanner } from './find-watched-outputs.ts';
import { confirmLocked } from './locks.ts';
import { type MempoolMirror, wholeSecond } from './mempool.ts';
import type { NodeInfo } from './node.ts';
import { reasonBehind, reasonBehindWithMempool } from './node-behind.ts';
import { clockErrorOf, warningsAbout } from './node-health.ts';

export interface PollDeps extends DisconnectDeps {
  readonly store: WatcherStore;
  readonly mempool: MempoolMirror;
  readonly reporter: Reporter;
}

export interface PollResult {
  readonly tipHeight: number;
  /** The poll reached the tip and listed the mempool at that tip, on a node that is not behind. */
  readonly caughtUp: boolean;
  readonly syncedUntil: UnixMs | null;
  /** Sentences for the operator about problems of the node. */
  readonly warnings: readonly string[];
}

/** Blocks fetched, reported and saved together while catching up. */
export const BLOCKS_PER_BATCH = 10;
/** Maximum rounds of one poll, which starts over when the tip moves. */
const POLL_ROUNDS = 6;

/**
 * Polls once. Order matters: read the clock before requesting the tip, fetch data before refreshing
 * the watch set, use the mempool only if the tip is still the scanned one after listing it, and
 * save nothing before the sink has accepted it. See DESIGN.md.
 */
export async function pollOnce(deps: PollDeps, memory: WatcherMemory): Promise<PollResult> {
  const startedAt = deps.clock.now();
  await deps.reporter.ready();
  let tipHeight = 0;
  let warnings: readonly string[] = [];
  for (let round = 1; round <= POLL_ROUNDS; round += 1) {
    const info = await deps.node.info();
    tipHeight = info.tipHeight;
    const peers = deps.params.staleAfterMs === null ? null : await deps.node.peers();
    const clockError = deps.params.staleAfterMs === null ? null : await clockErrorOf(deps.node, deps.clock);
    const chainBehind = reasonBehind(info, peers, deps.params, startedAt);
    warnings = warningsAbout(info, chainBehind, clockError);
    const tip = memory.chain.tip();
    if (tip === null) await beginScan(deps.node, memory, tipHeight, chainBehind);
    else await disconnectReorged(deps, memory, tip, info, chainBehind);
    if (!(await connectUpTo(deps, memory, info))) continue;

    const listing = await deps.mempool.refresh(info.tipHash, memory, deps.watchSet);
    if (listing === null) continue;
    if (!listing.complete && round < POLL_ROUNDS) continue;
    const behind = reasonBehindWithMempool(chainBehind, listing.isLoaded);
    warnings = warningsAbout(info, behind, clockError);

    let findings = findingsInBlocks(memory);
    const present = deps.mempool.present(memory);
    findings.push(...findingsInMempool(memory, present));
    if (behind === null) {
      const gone = listing.complete ? findingsGone(memory, present, deps.mempool.conflicting) : [];
      findings.push(...(await withoutRecordedBelow(deps, memory, gone)));
      if (deps.params.reportsLocks === true) findings = await confirmLocked(deps.node, memory, findings);
    }
    const syncedUntil = behind !== null || !listing.complete ? null : wholeSecond(startedAt);
    await save(deps, memory, withReplaced(findings), tipHeight, syncedUntil);
    return { tipHeight, caughtUp: behind === null, syncedUntil, warnings };
  }
  deps.log.warn(
    { network: deps.params.network, tipHeight },
    'the tip changed during every attempt; only outputs in blocks are reported',
  );
  await save(deps, memory, findingsInBlocks(memory), tipHeight, null);
  return { tipHeight, caughtUp: false, syncedUntil: null, warnings };
}

/**
 * Sets `outdates` of each present output to the gone outputs of the same address that its
 * transaction replaces. A payment stores only some inputs of a transaction, so it cannot always
 * detect this.
 */
function withReplaced(findings: readonly Finding[]): Finding[] {
  const spentBy = new Map<string, string[]>();
  for (const { output, status } of findings) {
    if (status.kind !== 'gone') continue;
    for (const spend of output.spends) {
      const key = `${output.watchKey} ${spend}`;
      spentBy.set(key, [...(spentBy.get(key) ?? []), output.outputId]);
    }
  }
  if (spentBy.size === 0) return [...findings];
  return findings.map((finding) => {
    const { output, status } = finding;
    if (status.kind === 'gone') return finding;
    const outdates = new Set(output.spends.flatMap((spend) => spentBy.get(`${output.watchKey} ${spend}`) ?? []));
    return outdates.size === 0 ? finding : { ...finding, outdates: [...outdates] };
  });
}

/** Scans block after block up to the node's tip; false when the best chain changed during that. */
async function connectUpTo(deps: PollDeps, memory: WatcherMemory, info: NodeInfo): Promise<boolean> {
  for (;;) {
    const tip = memory.chain.tip();
    if (tip === null) return false;
    if (tip.height >= info.tipHeight) return tip.blockHash === info.tipHash;
    const count = Math.min(BLOCKS_PER_BATCH, info.tipHeight - tip.height);
    const heights = Array.from({ length: count }, (_, index) => tip.height + 1 + index);
    if (!(await connectBatch(deps, memory, heights))) return false;
    const reached = heights.at(-1) ?? tip.height;
    if (reached < info.tipHeight) await save(deps, memory, findingsInBlocks(memory), info.tipHeight, null);
  }
}

async function connectBatch(deps: PollDeps, memory: WatcherMemory, heights: readonly number[]): Promise<boolean> {
  const hashes = (await deps.node.blockHashes(heights)).filter((hash) => hash !== null);
  if (hashes.length < heights.length) return false;
  const blocks = await deps.node.blocks(hashes);
  await deps.watchSet.refresh();
  const scanner = createScanner(memory, deps.params.asset, deps.watchSet);
  for (const [index, height] of heights.entries()) {
    const raw = blocks[index];
    const blockHash = hashes[index];
    if (!raw || blockHash === undefined || raw.previousBlockHash !== memory.chain.tip()?.blockHash) return false;
    memory.chain.append(scanner.scanBlock(raw, height, blockHash, deps.clock.now()));
    // Parsing a block blocks the event loop, so yield before the next one.
    await setImmediate();
  }
  return true;
}

async function save(
  deps: PollDeps,
  memory: WatcherMemory,
  findings: readonly Finding[],
  tipHeight: number,
  syncedUntil: UnixMs | null,
): Promise<void> {
  await deps.reporter.report(memory, findings);
  const tip = memory.chain.tip();
  if (tip === null) return;
  await deps.reporter.saveProgress(memory, {
    forkHeight: memory.savedHeight,
    blocks: memory.chain.above(memory.savedHeight),
    cursor: { height: tip.height, blockHash: tip.blockHash },
    tipHeight,
    syncedUntil,
  });
  forgetOldReports(memory);
}
