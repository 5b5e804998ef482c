import { RATE_SOURCE_NAMES, type RateSourceName } from '../config.ts';
import { type FixedRates, type FixedRatesSetting, parseFixedRates } from '../fixed-rates.ts';
import * as read from '../parsers.ts';
import { setting } from './setting.ts';

/** Where exchange rates come from. */
export const RATE_SETTINGS = {
  ratesFixed: setting(
    'RATES_FIXED',
    '(none)',
    'USD per unit for live payments: a JSON object like {"LTC":"80.5","EUR":"1.08"}, or the path of a file with one, ' +
      'which is read again when it changes. Test keys use sample rates for what it leaves out.',
    read.mapped(read.jsonOrFile(parseFixedRates), toFixedRates),
  ),
  rateSources: setting(
    'RATES_SOURCES',
    '(all of them when a live network is set and RATES_FIXED is not, else none)',
    `Public sources asked for the rates of live payments: none, or some of ${RATE_SOURCE_NAMES.join(', ')}. ` +
      'What is in RATES_FIXED as well counts as one more source.',
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
