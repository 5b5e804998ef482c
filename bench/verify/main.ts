import { performance } from 'node:perf_hooks';
import { createBitcoindRpc, createUtxoWatcher, utxoChain, type Watcher } from '../../src/chains/index.ts';
import {
  createObservationSink,
  createVerifyHandler,
  createWatcherStore,
  createWatchSet,
  verifyQueue,
} from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createRecordingBus,
  LITECOIN,
  newWallet,
  type StartedPayment,
  startEngine,
  startPayment,
} from '../../test/payments/watching/sink-support.ts';
import { type Litecoind, startLitecoind } from '../../test/support/nodes/litecoind.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { createBenchDatabase } from '../support/database.ts';
import { median } from '../support/measure.ts';
import { readSettings } from '../support/settings.ts';

/**
 * Time until every one of many payments that wait for their depth gets its response: messages as
 * the bus delivers them, a watcher on a real node (litecoind on regtest), its memory and the
 * observations in Postgres. Baseline: every message is a separate verification. Ceiling: one
 * verification for all of them. Rounds alternate.
 */

const { BENCH_PAYMENTS: PAYMENTS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'How long it takes until many payments that wait for their depth get a response.',
  { BENCH_PAYMENTS: 400, BENCH_ROUNDS: 5 },
);
/** As many as the bus delivers concurrently: 16 partitions, four of each. */
const IN_FLIGHT = 64;
const BLOCKS = 20;
const COIN_PER_PAYMENT = 0.01;

async function main(): Promise<void> {
  const [database, node] = await Promise.all([createBenchDatabase(10), startLitecoind()]);
  const { db } = database;
  const rpc = createBitcoindRpc({ url: node.rpcUrl });
  try {
    const engine = startEngine(db);
    const derivationKeyId = await newWallet(db, LITECOIN);
    const start = () => startPayment(db, engine, { derivationKeyId, network: LITECOIN, crypto: 'LTC' });
    const payments = await Promise.all(Array.from({ length: PAYMENTS }, start));
    const bus = createRecordingBus();
    const watcher = createUtxoWatcher({
      params: utxoChain(LITECOIN),
      rpc,
      store: createWatcherStore({ db, network: LITECOIN, onProgress: () => {} }),
      watchSet: createWatchSet({ db, network: LITECOIN }),
      sink: createObservationSink({ db, bus, log: silentLog, publicUrl: 'http://127.0.0.1' }),
      clock: systemClock,
      log: silentLog,
    });
    await watcher.step();
    await pay(node, payments);
    await watcher.step();
    const messages = messagesOf(bus, payments);
    const times = { oneByOne: [] as number[], grouped: [] as number[], ceiling: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.oneByOne.push(
        await timeOf(() => deliverAll(messages, (message) => createVerifyHandler({ db, watcher })(message))),
      );
      const handle = createVerifyHandler({ db, watcher });
      times.grouped.push(await timeOf(() => deliverAll(messages, handle)));
      times.ceiling.push(await timeOf(() => verifyAll(watcher, messages)));
    }
    report(times);
  } finally {
    await rpc.close();
    await node.stop();
    await database.drop();
  }
}

await main();

// Helpers

type Message = ReturnType<typeof messagesOf>[number];

async function pay(node: Litecoind, payments: readonly StartedPayment[]): Promise<void> {
  const perBlock = Math.ceil(payments.length / BLOCKS);
  for (let start = 0; start < payments.length; start += perBlock) {
    const paid = payments.slice(start, start + perBlock).map(({ address }) => [address, COIN_PER_PAYMENT]);
    await node.rpc('sendmany', ['', Object.fromEntries(paid)]);
    await node.mine(1);
  }
}

/** The payments' verification requests, built from what the watcher published about them. */
function messagesOf(bus: ReturnType<typeof createRecordingBus>, payments: readonly StartedPayment[]) {
  const sent = new Map(bus.taken.map(({ data }) => [(data as SentMessage).actorId, (data as SentMessage).event]));
  return payments.map(({ transactionId, watchKey }) => {
    const event = sent.get(transactionId);
    if (event === undefined) throw new Error(`nothing was sent for ${transactionId}`);
    const { outputId, txid, amountBaseUnits, firstSeenAt, height } = event;
    const outputs = [{ outputId, txid, amountBaseUnits, firstSeenAt, height }];
    const data = { transactionId, crypto: 'LTC', requiredConfirmations: 1, outputs } as const;
    return { queue: verifyQueue(LITECOIN), partition: 0, id: outputId, attempt: 1, watchKey, data };
  });
}

interface SentMessage {
  readonly actorId: string;
  readonly event: {
    readonly outputId: string;
    readonly txid: string;
    readonly amountBaseUnits: string;
    readonly firstSeenAt: number;
    readonly height: number;
  };
}

async function deliverAll(messages: readonly Message[], handle: (message: Message) => Promise<void>): Promise<void> {
  const waiting = [...messages];
  const take = async () => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) await handle(message);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, take));
}

function verifyAll(watcher: Watcher, messages: readonly Message[]): Promise<void> {
  const outputs = messages.flatMap(({ watchKey, data: { crypto, requiredConfirmations, outputs: requested } }) =>
    requested.map(({ height, amountBaseUnits, ...output }) => ({
      requiredConfirmations,
      reportedHeight: height,
      output: { ...output, watchKey, asset: crypto, amountBaseUnits: BigInt(amountBaseUnits), spends: [] },
    })),
  );
  return watcher.verify({ outputs });
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function report({ oneByOne, grouped, ceiling }: { [way in 'oneByOne' | 'grouped' | 'ceiling']: number[] }): void {
  const [slow, ours, fast] = [median(oneByOne), median(grouped), median(ceiling)];
  const ms = (value: number) => `${Math.round(value)} ms`;
  process.stdout.write(
    `${PAYMENTS} payments in ${BLOCKS} blocks, medians of ${ROUNDS} rounds\n` +
      '| grouped | baseline: one by one | ceiling: all in one | baseline / grouped | ceiling / grouped |\n' +
      '|---|---|---|---|---|\n' +
      `| ${ms(ours)} | ${ms(slow)} | ${ms(fast)} | ${(slow / ours).toFixed(1)} × | ${Math.round((100 * fast) / ours)} % |\n`,
  );
}
