import { RATE_SOURCE_NAMES, type RateSourceName } from '../config.ts';
import { type FixedRates, type FixedRatesSetting, parseFixedRates } from '../fixed-rates.ts';
import * as read from '../parsers.ts';
import { setting } from './setting.ts';

/** Where exchange rates come from. */
export const RATE_SETTINGS = {
  ratesFixed: setting(
    'RATES_FIXED',
    '(none)',
    'USD per unit for live payments: a JSON object such as {"LTC":"80.5","EUR":"1.08"}, or the path of a file with one, ' +
      'which is reloaded when it changes. Test keys use sample rates for missing symbols.',
    read.mapped(read.jsonOrFile(parseFixedRates), toFixedRates),
  ),
  rateSources: setting(
    'RATES_SOURCES',
    '(all when a live network is set and RATES_FIXED is not; otherwise none)',
    `Public rate sources for live payments: none, or some of ${RATE_SOURCE_NAMES.join(', ')}. ` +
      'RATES_FIXED counts as an additional source.',
    rateSources,
  ),
} as const;

// Helpers

function rateSources(text: string): read.Parsed<readonly RateSourceName[]> {
  return text === 'none' ? read.good([]) : read.someOf(RATE_SOURCE_NAMES)(text);
}

/** For a file, keep only the path: the file is reloaded when it changes. */
function toFixedRates({ value, file }: read.Located<FixedRates>): FixedRatesSetting {
  return file === null ? { kind: 'inline', rates: value } : { kind: 'file', path: file };
}
