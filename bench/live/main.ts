import { performance } from 'node:perf_hooks';
import { startConsole } from '../../test/http/console/support/console.ts';
import { openSignedIn } from '../../test/http/console/support/open-signed-in.ts';
import { startBrowser } from '../../test/support/browser/browser.ts';
import { quantile } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

/**
 * Delay until a merchant with the payment list open sees a payment that was just created and
 * committed: a real Chromium on the real service, from the response to the create until the row is
 * on the page. Baseline: one request for that payment over the same API. Ceiling: reloading the
 * page until the row appears.
 */

const { BENCH_ROUNDS: ROUNDS } = readSettings('How soon the console shows a payment that was just created.', {
  BENCH_ROUNDS: 30,
});

async function main(): Promise<void> {
  const merchant = await startConsole({ isOwn: true });
  const browser = await startBrowser();
  try {
    const { page } = await openSignedIn(merchant, browser, 'owner', '/test/payments');
    await page.getByTitle('Pages follow what happens').waitFor();
    const pay = async () => {
      const body = { crypto: 'LTC', amount: 25 };
      const id: string = (await merchant.api({ method: 'POST', path: '/transactions/create', body })).data
        .transaction_id;
      return { id, row: page.locator(`a[href$="/${id}"]`).first() };
    };
    // The first rows replace the message for an empty list.
    await (await pay()).row.waitFor();
    const [live, read, reload]: number[][] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const seen = await pay();
      live?.push(await timeOf(() => seen.row.waitFor()));
      read?.push(await timeOf(() => merchant.api({ path: `/transactions/${seen.id}` })));
      reload?.push(
        await timeOf(async () => {
          await page.reload();
          await seen.row.waitFor();
        }),
      );
      await page.getByTitle('Pages follow what happens').waitFor();
    }
    print(`${ROUNDS} payments, ms after the response to the create`);
    print('| | p50 | p95 | longest |');
    print('|---|---|---|---|');
    print(rowOf('row on the page, live', live));
    print(rowOf('baseline: one request for it', read));
    print(rowOf('ceiling: the page loaded anew', reload));
  } finally {
    await browser.close();
    await merchant.close();
  }
}

await main();
// Chromium runs until the process that started it exits.
process.exit();

// Helpers

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function rowOf(name: string, times: readonly number[] = []): string {
  const sorted = [...times].sort((one, other) => one - other);
  const cells = [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.at(-1) ?? Number.NaN].map((ms) => ms.toFixed(0));
  return `| ${name} | ${cells.join(' | ')} |`;
}
