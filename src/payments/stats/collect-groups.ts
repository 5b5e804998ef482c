import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  type FiatCurrency,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '../../../machines/index.ts';
import { startsOfBuckets } from './buckets.ts';
import type { Group, GroupKind } from './calculate-stats.ts';
import type { CurrencyStats, Stats, StatsRange, StatsTotals, Sums } from './stats.ts';

/** The counts and sums of a range; groups without transactions are missing and count as zero. */
export function collectGroups(groups: readonly Group[], range: StatsRange): Sums {
  const byName = new Map(groups.map((group) => [nameOf(group.kind, group.key, group.currency), group]));
  const find = (kind: GroupKind, key: string | number = '', currency: FiatCurrency | null = null) =>
    byName.get(nameOf(kind, key, currency));
  const countOf = (status: TransactionStatus) => find('status', status)?.created ?? 0;
  const totalsOf = (kind: GroupKind, key?: string | number): StatsTotals => {
    const { created, completed, open, volumeUsd } = find(kind, key) ?? NONE;
    const volumes = FIAT_CURRENCIES.map((currency) => ({ currency, group: find(kind, key, currency) ?? NONE }))
      .filter(({ group }) => group.completed > 0)
      .sort((a, b) => mostWorthFirst(a.group, b.group))
      .map(({ currency, group }) => ({ currency, amount: group.volumeFiat }));
    return { created, completed, open, volumeUsd, volumes };
  };
  const { paidLate, gone, completionRate, conversionRate, averageUsd } = find('all') ?? NONE;
  return {
    totals: {
      ...totalsOf('all'),
      expired: countOf('expired'),
      partial: countOf('partial'),
      failed: countOf('failed'),
      paidLate,
      gone,
      completionRate,
      conversionRate,
      averageUsd,
    },
    // The entries contain every status.
    byStatus: Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, countOf(status)])) as Stats['byStatus'],
    byCoin: CRYPTO_SYMBOLS.filter((crypto) => find('crypto', crypto) !== undefined)
      .map((crypto) => ({ crypto, ...totalsOf('crypto', crypto) }))
      .sort(mostWorthFirst),
    byCurrency: FIAT_CURRENCIES.flatMap((currency) => {
      const group = find('all', '', currency);
      return group === undefined ? [] : [toCurrencyStats(currency, group)];
    }).sort(mostWorthFirst),
    series: startsOfBuckets(range).map((startsAt) => ({ startsAt, ...totalsOf('bucket', startsAt) })),
  };
}

// Helpers

function nameOf(kind: GroupKind, key: string | number, currency: FiatCurrency | null): string {
  return `${kind} ${key} ${currency ?? ''}`;
}

const NONE: Omit<Group, 'kind' | 'key' | 'currency'> = {
  created: 0,
  completed: 0,
  open: 0,
  paidLate: 0,
  gone: 0,
  volumeUsd: '0',
  volumeFiat: '0',
  goneFiat: '0',
  averageUsd: null,
  averageFiat: null,
  completionRate: null,
  conversionRate: null,
};

function toCurrencyStats(currency: FiatCurrency, group: Group): CurrencyStats {
  const { created, completed, open, gone, volumeUsd, volumeFiat, averageFiat, goneFiat } = group;
  const amounts = { volume: volumeFiat, volumeUsd, average: averageFiat, goneVolume: goneFiat };
  return { currency, created, completed, open, gone, ...amounts };
}

/** Used only to sort, so the rounding of floats does not matter. */
function mostWorthFirst(
  a: Pick<StatsTotals, 'created' | 'volumeUsd'>,
  b: Pick<StatsTotals, 'created' | 'volumeUsd'>,
): number {
  return Number(b.volumeUsd) - Number(a.volumeUsd) || b.created - a.created;
}
