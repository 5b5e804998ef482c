import { type SampleServer, startSampleServer } from '../../test/http/checkout/sample-server.ts';
import { SLOW_LINE, type Transfer, transferOf } from '../../test/http/checkout/transfer.ts';
import { startBrowser } from '../../test/support/browser/browser.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

/**
 * Cost of the payment page on a slow connection: bytes transferred on first load, and time until
 * first paint and until everything works. A real Chromium with an empty cache loads the sample
 * pages over an emulated connection that delays each response and limits throughput; connection
 * setup is not delayed.
 */

const { BENCH_ROUNDS: ROUNDS } = readSettings(
  'What the payment page costs a customer with a slow line, in bytes and in time.',
  { BENCH_ROUNDS: 5 },
);

const PAGES = [
  ['waiting', 'en'],
  ['waiting, ether', 'de'],
  ['seen', 'pl'],
  ['completed', 'fr'],
] as const;

async function main(): Promise<void> {
  const { latency, downloadThroughput } = SLOW_LINE;
  print(`${(downloadThroughput * 8) / 1_000_000} Mbit/s, ${latency} ms; median of ${ROUNDS} loads`);
  print('| page | requests | KB sent | first paint, ms | usable, ms |');
  print('|---|---|---|---|---|');
  const server = await startSampleServer();
  const browser = await startBrowser();
  try {
    for (const [name, language] of PAGES) print(await rowOf(server, name, language));
  } finally {
    await browser.close();
    await server.stop();
  }

  async function rowOf({ pageOf }: SampleServer, name: string, language: string): Promise<string> {
    const loads: Transfer[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      loads.push(await transferOf(browser, pageOf(name, language), SLOW_LINE));
    }
    const middle = (of: (load: Transfer) => number) => median(loads.map(of));
    const kilobytes = (middle(({ bytes }) => bytes) / 1_000).toFixed(1);
    const [paint, usable] = [middle((load) => load.firstPaintMs), middle((load) => load.usableMs)];
    return `| ${name} (${language}) | ${middle(({ files }) => files)} | ${kilobytes} | ${paint.toFixed(0)} | ${usable.toFixed(0)} |`;
  }
}

await main();
// Chromium runs until the process that started it exits.
process.exit();

// Helpers
