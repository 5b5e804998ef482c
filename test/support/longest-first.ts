import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take longer than most, the longest first, by and large, with different kinds of work beside each other: a run
 * ends when its last file does, and one that takes a minute must not be the last to begin. A fresh checkout knows nothing of
 * earlier runs, so they are written down.
 */
export const LONG_FILES: readonly string[] = [
  'test/chaos/short.test.ts',
  'test/e2e/cli-rescan.test.ts',
  'test/checkout/accessibility.test.ts',
  'test/recurring/crashes.test.ts',
  'test/console/app/pages.test.ts',
  'test/recurring/customers.test.ts',
  'test/console/operator/pages.test.ts',
  'test/e2e/cli.test.ts',
  'test/checkout/browser.test.ts',
  'test/console/app/flows.test.ts',
  'test/console/merchant/endpoints-page.test.ts',
  'test/console/merchant/recurring.test.ts',
  'test/e2e/crashes.test.ts',
  'test/accounts/user-commands.test.ts',
  'test/e2e/outages.test.ts',
  'test/e2e/litecoin.test.ts',
  'test/engine/crashes.test.ts',
  'test/e2e/every-coin.test.ts',
  'test/accounts/throttle.test.ts',
  'test/accounts/mails.test.ts',
  'test/accounts/users.test.ts',
  'test/console/chart-browser.test.ts',
  'test/webhooks/kill.test.ts',
  'test/e2e/standby.test.ts',
  'test/api/webhook-endpoints.test.ts',
  'test/fuzz/api.test.ts',
  'test/merchants/key-commands.test.ts',
  'test/e2e/recurring.test.ts',
  'test/webhooks/webhook-commands.test.ts',
  'test/contract/endpoints.test.ts',
  'test/chains/utxo/node-trouble.test.ts',
  'test/operations/live-feed.test.ts',
  'test/recurring/two-workers.test.ts',
  'test/console/security/stored-texts.test.ts',
  'test/checkout/recurring-languages.test.ts',
  'test/api/pay.test.ts',
  'test/e2e/reorganisations.test.ts',
];

/** Starts the long files first; the others as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), (file) => relative(file.project.config.root, file.moduleId));
  }
}

/** Those of `LONG_FILES` in its order, then the others in theirs. */
export function longestFirst<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const placeOf = (file: T) => {
    const place = LONG_FILES.indexOf(pathOf(file));
    return place === -1 ? LONG_FILES.length : place;
  };
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}
