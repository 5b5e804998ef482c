import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, TRANSACTION_STATUSES } from '../../../../machines/index.ts';
import { STATS_INTERVALS } from '../../../payments/index.ts';
import { MOMENT_PATTERN } from '../validation-problem.ts';
import { ExactNumber, nullable, oneOf, ref, Timestamp } from './primitives.ts';

const SHARE = {
  created: Type.Integer(),
  completed: Type.Integer(),
  volume_usd: ExactNumber('Value of completed transactions in USD, as of their creation.'),
};

export const StatsShare = Type.Object(SHARE, { $id: 'StatsShare', description: 'A part of the transactions.' });

const nullableNumber = (description: string) => nullable<string>('number', { format: 'double', description });
const nullableInteger = (description: string) => nullable<number>('integer', { description });

export const Stats = Type.Object(
  {
    totals: Type.Object({
      created: Type.Integer(),
      completed: Type.Integer(),
      expired: Type.Integer({ description: 'Includes those with exception paid_late.' }),
      partial: Type.Integer(),
      failed: Type.Integer(),
      paid_late: Type.Integer({ description: 'Awaiting your decision with exception paid_late.' }),
      conversion_rate: nullableNumber('completed ÷ created, 0 to 1, to four decimals; null if none was created.'),
      volume_usd: ExactNumber('Value of completed transactions in USD, as of their creation.'),
      average_usd: nullableNumber('volume_usd ÷ completed, to the cent; null if none is completed.'),
    }),
    by_status: Type.Object(Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, Type.Integer()])), {
      description: 'Number of transactions by current status.',
    }),
    by_crypto: Type.Object(
      Object.fromEntries(CRYPTO_SYMBOLS.map((symbol) => [symbol, Type.Optional(ref(StatsShare))])),
      { description: 'By coin; coins without any are left out.' },
    ),
    by_fiat: Type.Object(
      Object.fromEntries(
        FIAT_CURRENCIES.map((currency) => [
          currency,
          Type.Optional(Type.Object({ ...SHARE, volume: ExactNumber(`Sum of the completed prices, in ${currency}.`) })),
        ]),
      ),
      { description: 'By currency; currencies without any are left out.' },
    ),
    timeseries: Type.Array(Type.Object({ start: Timestamp('Start of the day, week or month, in UTC.'), ...SHARE }), {
      description: 'By time of creation, oldest first, without gaps. The range may cut off the first and the last.',
    }),
    timing: Type.Object({
      median_seconds_to_first_payment: nullableInteger('From creation until the first coins were seen.'),
      median_seconds_to_complete: nullableInteger('From creation until completed.'),
    }),
    usage: Type.Object({
      used: Type.Integer({ description: 'Payments that count toward the limit of this month.' }),
      limit: nullableInteger('null for no limit.'),
      resets_at: Timestamp('When the count resets.'),
    }),
  },
  { $id: 'Stats', description: 'Statistics of the transactions created in a period, by their current state.' },
);

export const StatsEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(Stats) },
  { $id: 'StatsEnvelope', description: 'Statistics.' },
);

const timestamp = (description: string) => Type.Optional(Type.String({ pattern: MOMENT_PATTERN, description }));

export const StatsQuery = Type.Object(
  {
    from: timestamp('Transactions created at or after this time. Default: 30 days before `to`.'),
    to: timestamp('Transactions created before this time. Default: now.'),
    interval: Type.Optional(
      oneOf(STATS_INTERVALS, {
        default: 'day',
        description: 'Interval of `timeseries`; weeks begin on Monday.',
      }),
    ),
  },
  { additionalProperties: false },
);
