import closeWithGrace from 'close-with-grace';
import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config/index.ts';
import { createLogger } from '../platform/log.ts';
import { createService } from '../service/create-service.ts';
import { readProvisioningFile } from '../service/provisioning/file.ts';
import { STOP_WITHIN_MS } from '../service/stopping.ts';

/** `quittance`: runs the service until it receives a signal to stop. */
export async function serve({ provision, out }: { provision: string | null; out: string | null }): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const provisioning = provision === null ? null : { file: await readProvisioningFile(provision), out };
  const service = await createService({ config, log, clock: systemClock, provisioning, print });
  let isStopping = false;
  const onTimeout = () => log.error('shutdown timed out; unfinished work resumes at the next start');
  const onSecondSignal = (signal: string) =>
    log.warn(
      { signal },
      'second stop signal: exiting immediately; unfinished work resumes in other processes or at the next start',
    );
  const onSecondError = (err: unknown) => log.fatal({ err }, 'unexpected error while stopping: exiting immediately');
  const options = { delay: STOP_WITHIN_MS, logger: false, onTimeout, onSecondSignal, onSecondError } as const;
  const stop = closeWithGrace(options, async ({ signal, err }) => {
    isStopping = true;
    if (err !== undefined) log.fatal({ err }, 'unexpected error: stopping');
    else log.info({ signal }, 'stopping');
    await service.close();
  });
  try {
    await service.start();
  } catch (error) {
    // Stopping a service that is still starting makes the start fail, which is expected.
    if (isStopping) return;
    stop.uninstall();
    await service.close();
    throw error;
  }
}

// Helpers

/** Prints to the terminal, in addition to the log. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
