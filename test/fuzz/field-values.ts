import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../machines/index.ts';
import { IMAGES } from '../images/samples.ts';
import { START_MS } from '../support/clock.ts';
import { idsCalled } from './ids.ts';
import { placeholder } from './placeholders.ts';

/**
 * Values for parameters and fields whose schema says only "text" but which refer to something that
 * exists. Random text would nearly always be unknown and would exercise nothing behind the lookup.
 */
export const FIELD_VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ids: fc.array(existingIds('transaction_id'), { maxLength: 12 }).map((ids) => ids.join(',')),
  order_id: fc.nat({ max: 12 }).map((nth) => `order ${nth} of ${placeholder.mark}`),
  reference: fc.nat({ max: 12 }).map((nth) => `member ${nth} of ${placeholder.mark}`),
  start_at: comingDays(300),
  // The request waits while everything due until then happens.
  to: comingDays(90),
  pk: fc
    .oneof(
      { weight: 12, arbitrary: fc.constantFrom('ann.pk_test', 'bob.pk_test', 'ann.pk_live', 'bob.pk_live') },
      { weight: 2, arbitrary: fc.constantFrom('ann.pk_test_single', 'bob.pk_test_single') },
      { weight: 2, arbitrary: fc.constantFrom('lapsed.pk_live', 'lapsed.pk_test', 'operator.pk_test') },
      { weight: 1, arbitrary: fc.constantFrom('ann.sk_test', 'bob.sk_live', 'ann.revoked') },
    )
    .map(placeholder.key),
  // Few: every event of a shop goes to each of its endpoints.
  url: fc.nat({ max: 3 }).map(placeholder.receiver),
  before: existingIds('delivery_id'),
  transaction_id: existingIds('transaction_id'),
  since: pastMoments(),
  until: pastMoments(),
  link: fc.nat().map(placeholder.slug),
  slug: fc.nat().map(placeholder.slug),
  expires_at: comingDays(90),
  image: fc.constantFrom(...Object.values(IMAGES)),
  amount: fc.integer({ min: 1, max: 500_000 }).map((cents) => (cents / 100).toFixed(2)),
  'X-Idempotency-Key': mostlyNew().map((nth) => `attempt ${nth}`),
  'X-Customer-IP': mostlyNew().map((nth) =>
    nth % 2 === 0 ? `10.${nth >> 16}.${(nth >> 8) & 255}.9` : `2001:db8::${nth.toString(16)}`,
  ),
};

/**
 * Ids that were returned as the field `name`, which is also the name of the path parameter; and
 * some that were not.
 */
export function existingIds(name: string): fc.Arbitrary<string> {
  // Mostly the first ids, so that the same payment receives many requests.
  const nth = fc.oneof(fc.nat({ max: 20 }), fc.nat());
  return fc.oneof(
    { weight: 8, arbitrary: nth.map((n) => placeholder.existing(name, 'own', n)) },
    { weight: 4, arbitrary: nth.map((n) => placeholder.existing(name, 'foreign', n)) },
    { weight: 1, arbitrary: idsCalled(name) },
  );
}

// Helpers

/** Whole hours of the last two months, by the clock of the run. */
function pastMoments(): fc.Arbitrary<string> {
  return fc.nat({ max: 60 * 24 }).map((hours) => new Date(START_MS - hours * HOUR_MS).toISOString());
}

/** A time in the next days, by the clock of the run. */
function comingDays(days: number): fc.Arbitrary<string> {
  return fc.nat({ max: days * 24 }).map((hours) => new Date(START_MS + DAY_MS + hours * HOUR_MS).toISOString());
}

/** Numbers that rarely repeat, and a few that often do. */
function mostlyNew(): fc.Arbitrary<number> {
  return fc.oneof({ weight: 1, arbitrary: fc.nat({ max: 9 }) }, { weight: 6, arbitrary: fc.nat({ max: 65_535 }) });
}
