import { createService } from '../../../src/commands/serve/create-service.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { createLogger } from '../../../src/log.ts';

/**
 * The service, put together exactly as the command does it but for its clock, which runs ahead of the machine's by what it is
 * told over IPC. It says one thing, once: that everything runs. Its one argument is a `ServiceOrder` as JSON. It ends with its parent.
 */
export interface ServiceOrder {
  readonly aheadMs: number;
}

/** What the parent says meanwhile. */
export type ServiceMessage = ServiceOrder;

let { aheadMs } = JSON.parse(process.argv[2] ?? '{}') as ServiceOrder;
process.on('message', (message: ServiceMessage) => {
  ({ aheadMs } = message);
});
process.on('disconnect', () => process.exit(1));

const config = loadConfig(process.env);
const service = await createService({
  config,
  log: createLogger({ level: config.logLevel }),
  clock: { now: () => Date.now() + aheadMs },
  provisioning: null,
  announce: () => {},
});
let isStopping = false;
process.once('SIGTERM', () => {
  isStopping = true;
  void service.close().then(() => process.exit(0));
});
try {
  await service.start();
  process.send?.('ready');
} catch (error) {
  // Who stops a service that is still starting makes the start fail, which is no news.
  if (!isStopping) throw error;
}
