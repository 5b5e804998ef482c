import { randomBytes } from 'node:crypto';
import { erc20Abi, formatLog, parseEventLogs, type RpcLog } from 'viem';
import { tokenTable } from '../../src/chains/evm/built-in-tokens.ts';
import { readBlock } from '../../src/chains/evm/node/blocks.ts';
import { parseTransferLogs, TRANSFER_TOPIC, tokensByContract } from '../../src/chains/evm/node/parse-transfer-logs.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

/**
 * CPU time to find the payments to watched addresses in one block of 10,000 token transfers and
 * 10,000 transactions, from the node's responses as text, by number of watched addresses, against
 * two others in the same run:
 *
 * - (a) a floor: `JSON.parse` of the same responses
 * - (b) the usual way: viem's `formatLog` and `parseEventLogs` of the same logs
 *
 * Rounds alternate and medians are compared, because a shared machine is noisy: read the ratios.
 */

const LOGS = 10_000;
const WATCHED = [1_000, 100_000, 1_000_000];
const { BENCH_ROUNDS: ROUNDS } = readSettings(
  'CPU time to find payments in a block of 10,000 token transfers, against viem.',
  { BENCH_ROUNDS: 9 },
);
/** One transfer and one transaction in this many pays us. */
const OURS_EVERY = 1_000;
const HEIGHT = 20_000_000;
const WORD_DIGITS = 64;

const tokens = tokenTable('ethereum-mainnet', {});
const contracts = tokensByContract(tokens);

function main(): void {
  const logs = Array.from({ length: LOGS }, (_, index) => makeLog(index));
  const block = makeBlock();
  const [logsText, blockText] = [JSON.stringify(logs), JSON.stringify(block)];
  const ours = [...logs, ...block.transactions].filter((_, index) => index % OURS_EVERY === 0).map(recipientOf);
  print('');
  print(`${LOGS} transfers as ${megabytes(logsText)} of JSON, ${LOGS} transactions as ${megabytes(blockText)}`);
  print('   watched       ours  (a) parse    (b) viem  ours/(a)  (b)/ours');
  for (const count of WATCHED) {
    const watched = new Set(ours);
    while (watched.size < count) watched.add(randomHex(20));
    const times = { ours: [] as number[], parse: [] as number[], viem: [] as number[] };
    // The first rounds let the JIT compile.
    for (let round = -2; round < ROUNDS; round += 1) {
      const keep = round >= 0;
      record(times.ours, keep, () => find(logsText, blockText, watched, ours.length));
      record(times.parse, keep, () => [JSON.parse(logsText), JSON.parse(blockText)]);
      record(times.viem, keep, () => findByViem(logsText, watched));
    }
    const [mine, floor, viem] = [median(times.ours), median(times.parse), median(times.viem)];
    print(
      count.toLocaleString('en-US').padStart(10) +
        [mine, floor, viem].map(ms).join('') +
        `${(mine / floor).toFixed(2)} x`.padStart(10) +
        `${(viem / mine).toFixed(2)} x`.padStart(10),
    );
  }
}

/**
 * What a watcher does with a block's responses; counts matches, so that nothing is optimised away.
 */
function find(logsText: string, blockText: string, watched: ReadonlySet<string>, expected: number): void {
  const transfers = parseTransferLogs(JSON.parse(logsText), contracts).filter(({ to }) => watched.has(to));
  const { transactions } = readBlock(JSON.parse(blockText));
  const payments = transactions.filter(({ to, valueWei }) => to !== null && valueWei > 0n && watched.has(to));
  const found = transfers.length + payments.length;
  if (found !== expected) throw new Error(`found ${found} payments, expected ${expected}`);
}

function findByViem(logsText: string, watched: ReadonlySet<string>): void {
  const logs = (JSON.parse(logsText) as RpcLog[]).map((log) => formatLog(log));
  const events = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs });
  const found = events.filter(({ args }) => watched.has(args.to.toLowerCase()));
  if (found.length !== LOGS / OURS_EVERY) throw new Error(`found ${found.length} transfers`);
}

// Helpers

function makeLog(index: number) {
  const { contract } = tokens[index % tokens.length] ?? { contract: '' };
  return {
    address: contract,
    topics: [TRANSFER_TOPIC, padded(randomHex(20)), padded(randomHex(20))],
    data: randomHex(32),
    blockNumber: hex(HEIGHT),
    blockHash: randomHex(32),
    transactionHash: randomHex(32),
    transactionIndex: hex(index),
    logIndex: hex(index),
    removed: false,
  };
}

function makeBlock() {
  const transactions = Array.from({ length: LOGS }, (_, index) => ({
    hash: randomHex(32),
    from: randomHex(20),
    to: randomHex(20),
    value: hex(index + 1),
    nonce: hex(index),
    blockHash: randomHex(32),
    blockNumber: hex(HEIGHT),
    transactionIndex: hex(index),
    gas: hex(21_000),
    gasPrice: hex(10 ** 10),
    input: '0x',
    type: '0x2',
    chainId: '0x1',
    v: '0x0',
    r: randomHex(32),
    s: randomHex(32),
  }));
  return {
    number: hex(HEIGHT),
    hash: randomHex(32),
    parentHash: randomHex(32),
    timestamp: hex(1_700_000_000),
    transactions,
  };
}

function recipientOf(item: ReturnType<typeof makeLog> | { readonly to: string }): string {
  return 'topics' in item ? `0x${(item.topics[2] ?? '').slice(-40)}` : item.to;
}

function padded(address: string): string {
  return `0x${address.slice(2).padStart(WORD_DIGITS, '0')}`;
}

function randomHex(bytes: number): string {
  return `0x${randomBytes(bytes).toString('hex')}`;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function record(times: number[], keep: boolean, run: () => unknown): void {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  if (keep) times.push((user + system) / 1_000);
}

const megabytes = (text: string) => `${(text.length / 1e6).toFixed(1)} MB`;
const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(11);

main();
