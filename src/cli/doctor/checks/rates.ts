import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { RateSourceName } from '../../../platform/config/index.ts';
import { messageOf } from '../../../platform/errors.ts';
import { createFixedSource, createRatesAgent, publicRateSources, type Quotes } from '../../../rates/index.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';

/**
 * The rate sources of live payments. Binance needs the rates of other sources, so all are created
 * together.
 */
export const RATE_CHECKS: readonly Check[] = [{ name: 'rates', run: rates }];

// Helpers

async function rates(examined: Examined): Promise<Finding | Finding[]> {
  const { fixedRates, rateSources } = examined.config;
  if (coinsOf(examined).length === 0) return ok('no live network is configured; test payments use sample rates');
  const remedy = 'Set RATES_SOURCES or RATES_FIXED: without a rate no live payment can be created.';
  if (fixedRates === null && rateSources.length === 0) return problem('live payments have no source of rates', remedy);
  const requested = await Promise.all([checkFixed(examined), checkPublic(examined)]);
  const responses = requested.flat();
  const known = new Set(responses.flatMap(({ quotes }) => Object.keys(quotes)));
  const unpriced = coinsOf(examined).filter((coin) => !known.has(coin));
  return [
    ...responses.map(({ finding }) => finding),
    ...(unpriced.length === 0 ? [] : [problem(`no source has a rate for ${unpriced.join(', ')}`, remedy)]),
  ];
}

interface SourceCheck {
  readonly finding: Finding;
  readonly quotes: Quotes;
}

async function checkFixed({ config, signal }: Examined): Promise<SourceCheck[]> {
  const { fixedRates } = config;
  if (fixedRates === null) return [];
  try {
    const quotes = await createFixedSource(fixedRates).fetch(signal);
    return [{ quotes, finding: ok(`RATES_FIXED has ${Object.keys(quotes).length} rates`) }];
  } catch (error) {
    return [
      {
        quotes: {},
        finding: problem(messageOf(error), 'Fix the file set in RATES_FIXED. Its last rates become stale until then.'),
      },
    ];
  }
}

async function checkPublic({ config, clock, log, signal, rateBaseUrls }: Examined): Promise<SourceCheck[]> {
  const names: readonly RateSourceName[] = config.roles.includes('api') ? config.rateSources : [];
  if (names.length === 0) return [];
  const agent = createRatesAgent();
  try {
    const sources = publicRateSources({ clock, log, agent, names, baseUrls: rateBaseUrls });
    const responses = await Promise.all(
      sources.map(async ({ name, fetch }): Promise<SourceCheck> => {
        try {
          const quotes = await fetch(signal);
          return { quotes, finding: ok(`${name} quotes ${Object.keys(quotes).length} rates`) };
        } catch (error) {
          const remedy = 'Check that outbound HTTPS to it is allowed. The other sources keep working.';
          return { quotes: {}, finding: warning(`${name}: ${messageOf(error)}`, remedy) };
        }
      }),
    );
    const isAlone = responses.filter(({ finding }) => finding.level === 'ok').length === 1 && responses.length > 1;
    const alone = warning(
      'only one source responds, so its errors cannot be detected',
      'Fix or add sources in RATES_SOURCES.',
    );
    return isAlone ? [...responses, { quotes: {}, finding: alone }] : responses;
  } finally {
    await agent.close();
  }
}

/** The coins of live nodes, which need a rate. */
function coinsOf({ config }: Examined): CryptoSymbol[] {
  return config.nodes.filter(({ mode }) => mode === 'live').map(({ symbol }) => symbol);
}
