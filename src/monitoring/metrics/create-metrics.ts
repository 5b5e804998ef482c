import { Registry } from 'prom-client';
import type { WatchObserver } from '../../chains/index.ts';
import type { RequestObserver } from '../../http/api/index.ts';
import type { MailObserver } from '../../mail/index.ts';
import type { InstallationFigures } from '../../operations/index.ts';
import type { BusObserver } from '../../platform/bus/index.ts';
import type { PoolUse } from '../../platform/db/index.ts';
import type { EngineLoad, EngineObserver, RelayObserver, TimerObserver } from '../../platform/engine/index.ts';
import type { SenderObserver } from '../../webhooks/index.ts';
import { createCachedReading } from '../cached-reading.ts';
import { engineInstruments, engineLoad } from './engine.ts';
import { installationState } from './installation.ts';
import { httpInstruments, type ProcessInfo, poolState, processState } from './process.ts';
import { type RatesSource, ratesState } from './rates.ts';
import {
  busInstruments,
  busState,
  mailInstruments,
  relayInstruments,
  timerInstruments,
  watchInstruments,
  webhookInstruments,
} from './work.ts';

/** Observers for every observed part. The parts depend on these interfaces, not on metrics. */
export interface Observers {
  readonly engine: EngineObserver;
  readonly relay: RelayObserver;
  readonly timers: TimerObserver;
  readonly bus: BusObserver;
  readonly sender: SenderObserver;
  readonly mail: MailObserver;
  readonly watch: WatchObserver;
  readonly requests: RequestObserver;
}

/** Values that are read only during a scrape. */
export interface MetricSources extends ProcessInfo, RatesSource {
  readonly engineLoad: () => EngineLoad;
  readonly poolUse: () => PoolUse | null;
  readonly busResponds: () => Promise<boolean>;
  readonly readFigures: () => Promise<InstallationFigures>;
}

export interface Metrics {
  readonly observers: Observers;
  /**
   * Adds the metrics that are read at scrapes. To be called once, when everything is constructed.
   */
  read(sources: MetricSources): void;
  /** All metrics in the Prometheus text format. Never takes long, even during outages. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Each process queries the database at most once in this time, however often it is scraped. */
const KEEP_FIGURES_MS = 5_000;
/**
 * Below Prometheus' default scrape timeout of 10 s, so that the other metrics are still delivered.
 */
const FIGURES_WITHIN_MS = 4_000;
/** NATS responds in milliseconds or not at all. */
const BUS_WITHIN_MS = 2_000;

/**
 * Creates the instruments. Counting costs well under a microsecond per call; all
 * other work happens at scrapes.
 */
export function createMetrics(registry = new Registry()): Metrics {
  let beforeText = async () => {};
  return {
    observers: {
      engine: engineInstruments(registry),
      relay: relayInstruments(registry),
      timers: timerInstruments(registry),
      bus: busInstruments(registry),
      sender: webhookInstruments(registry),
      mail: mailInstruments(registry),
      watch: watchInstruments(registry),
      requests: httpInstruments(registry),
    },
    read(sources) {
      const { readFigures } = sources;
      processState(registry, sources);
      engineLoad(registry, sources.engineLoad);
      poolState(registry, sources.poolUse);
      ratesState(registry, sources);
      const bus = createCachedReading({ ask: sources.busResponds, keepMs: KEEP_FIGURES_MS, timeoutMs: BUS_WITHIN_MS });
      busState(registry, async () => (await bus.read()) === true);
      const figures = createCachedReading({ ask: readFigures, keepMs: KEEP_FIGURES_MS, timeoutMs: FIGURES_WITHIN_MS });
      const show = installationState(registry);
      beforeText = async () => show(await figures.read());
    },
    async text() {
      await beforeText();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
