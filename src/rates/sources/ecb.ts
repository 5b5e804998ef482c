import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Decimal } from '../decimal.ts';
import { stale, unreadable } from '../http/failures.ts';
import { type SourceResponse, textOf } from '../http/response.ts';
import { createSourceClient, type SourceDeps } from '../http/source-client.ts';
import { POLL_INTERVAL_MS, type Quotes, type RateSource } from '../source.ts';
import { quotesFrom, ratio, readPrice } from './price.ts';

const ECB_TIMEOUT_MS = 4_000;
/** 30 currencies take less than 2 kB. */
const ECB_RESPONSE_BYTES = 64_000;
/** Rates are published once a day, so more frequent requests would only find them sooner. */
const ASK_EVERY_MS = 3 * HOUR_MS;
const ASK_AGAIN_AFTER_FAILURE_MS = 15 * MINUTE_MS;

/**
 * Validity of a publication from the start (UTC) of its day. The longest gap between two
 * publications is at Easter (Thursday to Tuesday 16:00 CET) and at Christmas around a weekend: 5
 * days and 15 hours.
 */
const PUBLICATION_HOLDS_MS = 6 * DAY_MS;

export interface EcbDeps extends SourceDeps {
  readonly log: Log;
}

/** The reference rates of one day. */
export interface EcbPublication {
  /** Start of that day, UTC. */
  readonly day: UnixMs;
  readonly quotes: Quotes;
}

/**
 * The euro reference rates of the European Central Bank, for currencies only. They are fixed once
 * per working day at 14:15 CET and stay valid until the next, even over a weekend. The market moves
 * in between, so they only confirm or contradict other sources and are never part of a price.
 *
 * `fetch` runs every minute but mostly returns the cached publication; the bank is queried a few
 * times a day. If a query fails, the last publication stays in use while it is valid.
 */
export function createEcbSource(deps: EcbDeps, baseUrl: string): RateSource {
  const { clock, log } = deps;
  const client = createSourceClient(deps, {
    source: NAME,
    timeoutMs: ECB_TIMEOUT_MS,
    maxBytes: ECB_RESPONSE_BYTES,
    maxCacheAgeMs: DAY_MS,
  });
  let last: EcbPublication | null = null;
  let fetchAt: UnixMs = 0;

  const holds = ({ day }: EcbPublication) => {
    const age = clock.now() - day;
    // A day in the future means a wrong clock or a wrong response.
    return age >= 0 && age < PUBLICATION_HOLDS_MS;
  };

  async function ask(signal: AbortSignal): Promise<void> {
    const publication = await client.round(signal, async (get) =>
      readEcbPublication(await get(`${baseUrl}/stats/eurofxref/eurofxref-daily.xml`)),
    );
    if (!holds(publication)) throw stale(NAME, `rates of ${dayOf(publication)}`);
    // A CDN node may return an older publication than an earlier request got.
    if (last === null || publication.day >= last.day) last = publication;
  }

  return {
    name: NAME,
    kind: 'reference',
    publishedAt: () => last?.day ?? null,
    pollEveryMs: POLL_INTERVAL_MS,
    async fetch(signal) {
      if (clock.now() >= fetchAt) {
        try {
          await ask(signal);
          fetchAt = clock.now() + ASK_EVERY_MS;
        } catch (error) {
          if (last === null || !holds(last) || signal.aborted) throw error;
          fetchAt = clock.now() + ASK_AGAIN_AFTER_FAILURE_MS;
          log.warn(
            { reason: messageOf(error), source: NAME, of: dayOf(last) },
            'reference rates could not be refreshed; the last ones stay in use',
          );
        }
      }
      if (last === null || !holds(last)) {
        fetchAt = 0;
        throw stale(NAME, 'no current reference rates');
      }
      return last.quotes;
    },
  };
}

/**
 * Parses `eurofxref-daily.xml`: how much of each currency one euro buys. See
 * https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates.
 * Throws `RetryableError` RATE_SOURCE_UNREADABLE for anything but one complete day.
 */
export function readEcbPublication(response: SourceResponse): EcbPublication {
  const xml = textOf(response);
  const days = [...xml.matchAll(DAY)].map(([, day = '']) => day);
  const [day = ''] = days;
  const at = Date.parse(`${day}T00:00:00Z`);
  if (days.length !== 1 || Number.isNaN(at) || !xml.includes('</gesmes:Envelope>')) {
    throw unreadable(NAME, 'an invalid publication of reference rates');
  }
  const perEuro = new Map<string, Decimal | null>();
  for (const [, currency = '', rate] of xml.matchAll(RATE)) {
    // A currency that occurs twice is ambiguous, so it gets no rate.
    perEuro.set(currency, perEuro.has(currency) ? null : readPrice(rate));
  }
  const usd = perEuro.get('USD') ?? null;
  const quotes = quotesFrom(NAME, (symbol) => {
    const unitsPerEuro = symbol === 'EUR' ? ONE : CURRENCIES.has(symbol) ? (perEuro.get(symbol) ?? null) : null;
    return usd === null || unitsPerEuro === null ? null : ratio(usd, unitsPerEuro);
  });
  return { day: at, quotes };
}

// Helpers

const NAME = 'ecb';
const ONE: Decimal = { coefficient: 1n, scale: 0 };
const CURRENCIES: ReadonlySet<string> = new Set(['GBP', 'PLN']);

const DAY = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]\s*>/g;
const RATE = /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([^'"]*)['"]\s*\/>/g;

function dayOf({ day }: EcbPublication): string {
  return new Date(day).toISOString().slice(0, 10);
}
