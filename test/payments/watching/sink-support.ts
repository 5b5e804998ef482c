import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Observation, OutputStatus } from '../../../src/chains/index.ts';
import { createObservationSink, createTransactionKind, createWatcherStore } from '../../../src/payments/index.ts';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createEngine, createKindRegistry, type Engine } from '../../../src/platform/engine/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { parseExtendedKey, registerDerivationKey } from '../../../src/wallets/index.ts';
import { createTestClock } from '../../support/clock.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { EMPTY_ATTACHMENT } from '../../support/empty-attachment.ts';
import { silentLog } from '../../support/silent-log.ts';

type Db = TestDatabase['db'];

export const DUE = 1_000_000n;
export const LITECOIN = 'litecoin-regtest';
export const ETHEREUM = 'ethereum-regtest';

export const transactionKind = createTransactionKind({ publicUrl: 'http://127.0.0.1' });

/** An engine without a bus: tests pass commands to it directly. */
export function startEngine(db: Db, clock: Clock = createTestClock()): Engine {
  const kinds = createKindRegistry([transactionKind]);
  return createEngine({ db, kinds, clock, log: silentLog });
}

/** A wallet that no other test uses. */
export async function newWallet(db: Db, network: string): Promise<string> {
  const chain = network === LITECOIN ? 'litecoin' : 'ethereum';
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/1'/0'").publicExtendedKey;
  const walletKey = parseExtendedKey({ chain, networkKind: 'regtest', key });
  return registerDerivationKey(db, { network, mode: 'live', walletKey, fingerprint: walletKey.keyId });
}

export interface StartedPayment {
  readonly transactionId: string;
  readonly watchKey: string;
  readonly address: string;
}

/** Starts a live payment of `DUE` base units and returns its address. */
export async function startPayment(
  db: Db,
  engine: Engine,
  { derivationKeyId, network, crypto }: { derivationKeyId: string; network: string; crypto: CryptoSymbol },
): Promise<StartedPayment> {
  const transactionId = newId('txn');
  await engine.start({
    kind: 'transaction',
    actorId: transactionId,
    startKey: null,
    input: { ...TERMS, transactionId, crypto, network },
    attachment: { ...EMPTY_ATTACHMENT, derivationKeyId },
  });
  const row = await db
    .selectFrom('address')
    .select(['address', 'watch_key'])
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  return { transactionId, watchKey: row.watch_key, address: row.address };
}

/**
 * A sink as used by a watcher that holds the lease: it takes a fencing epoch for every network it
 * first reports on.
 */
export function openSink(deps: {
  readonly db: Db;
  readonly bus: Bus;
  readonly isForced?: boolean;
}): (observations: readonly Observation[]) => Promise<void> {
  const sink = createObservationSink({ ...deps, log: silentLog, publicUrl: 'https://pay.example' });
  const epochs = new Map<string, Promise<number>>();
  return async (observations) => {
    const network = observations[0]?.network ?? LITECOIN;
    const turn = epochs.get(network) ?? takeTurn(deps.db, network);
    epochs.set(network, turn);
    await sink(observations, { epoch: await turn, isForced: deps.isForced ?? false });
  };
}

/** The fencing epoch of a new watcher of the network. */
export function takeTurn(db: Db, network: string): Promise<number> {
  return createWatcherStore({ db, network, onProgress: () => {} }).nextEpoch();
}

/** A bus that records its messages. */
export function createRecordingBus(): Bus & { readonly taken: readonly BusMessage[] } {
  const taken: BusMessage[] = [];
  return {
    taken,
    publish: async (message) => void taken.push(message),
    subscribe: async () => ({ stop: async () => {} }),
    isHealthy: async () => true,
    waiting: async () => new Map(),
    close: async () => {},
  };
}

let outputs = 0;
let orders = 0;

/** An observation of a new output, newer than all others by default. */
export function observe(of: Partial<Observation> & Pick<Observation, 'watchKey' | 'network'>): Observation {
  outputs += 1;
  orders += 1;
  const txid = outputs.toString(16).padStart(64, '0');
  return {
    outputId: `${txid}:0`,
    txid,
    asset: of.network === LITECOIN ? 'LTC' : 'ETH',
    amountBaseUnits: DUE,
    order: orders,
    firstSeenAt: 1_000 * orders,
    status: { kind: 'mempool' },
    ...of,
  };
}

/** The same output with another status. */
export function later(observation: Observation, status: OutputStatus): Observation {
  orders += 1;
  return { ...observation, order: orders, status };
}

export function inBlock(height: number): OutputStatus {
  return { kind: 'block', height, blockHash: `block-${height}` };
}

// Helpers

export const TERMS = {
  merchantId: 'mer_sink',
  mode: 'live',
  type: 'basic',
  dueBaseUnits: DUE.toString(),
  toleranceBaseUnits: '5000',
  confirmationsRequired: 3,
  confirmationDeadlineMs: 86_400_000,
  lossSettlesMs: 1_200_000,
  windowMs: 1_800_000,
  quote: {
    amountFiat: '1',
    currencyFiat: 'USD',
    amountUsd: '1',
    amountCrypto: '0.01',
    fiatToUsdRate: '1',
    exchangeRate: '100',
  },
} as const;
