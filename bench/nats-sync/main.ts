import { createNatsBus } from '../../src/platform/bus/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createNatsServer } from '../../test/support/service/nats.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

const { BENCH_MESSAGES: MESSAGES } = readSettings(
  `What \`sync_interval: always\` of NATS costs: messages a second that the bus accepts, one at a time and 64 concurrently,
without it and with it, on the disk of the temporary folder. Needs NATS 2.10; TEST_NATS_SERVER names the program.`,
  { BENCH_MESSAGES: 2_000 },
);
const AT_ONCE = [1, 64] as const;
const log = createLogger({ level: 'silent' });

for (const [name, configuration] of [
  ['every two minutes', ''],
  ['always', 'jetstream { sync_interval: always }'],
] as const) {
  const server = await createNatsServer({ configuration });
  await server.start();
  const bus = createNatsBus({ url: server.url, prefix: 'bench', log, deadLetter: async () => {} });
  for (const atOnce of AT_ONCE) {
    const rate = await publishAll(atOnce);
    print(`sync ${name}, ${atOnce} concurrently: ${Math.round(rate)} messages/s`);
  }
  await bus.close();
  await server.remove();

  async function publishAll(atOnce: number): Promise<number> {
    let next = 0;
    const began = performance.now();
    const publisher = async () => {
      for (let index = next++; index < MESSAGES; index = next++) {
        await bus.publish({ queue: 'bench', partition: index % 16, id: `${atOnce}-${index}`, data: { index } });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, publisher));
    return (MESSAGES * 1_000) / (performance.now() - began);
  }
}
