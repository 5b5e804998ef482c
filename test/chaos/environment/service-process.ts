import { loadConfig } from '../../../src/platform/config/index.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { createService } from '../../../src/service/create-service.ts';

/**
 * The service, composed exactly as by the command except for its clock, which runs ahead of the
 * system clock by an offset received over IPC. It sends one message, once everything is running.
 * Its one argument is a `ServiceOrder` as JSON. It exits with its parent.
 */
export interface ServiceOrder {
  readonly aheadMs: number;
}

/** Sent by the parent to change the offset. */
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
  print: () => {},
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
  // A stop signal during startup makes the start fail, which is expected.
  if (!isStopping) throw error;
}
