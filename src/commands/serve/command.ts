import closeWithGrace from 'close-with-grace';
import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config/index.ts';
import { createLogger } from '../../log.ts';
import { readProvisioningFile } from '../provision/file.ts';
import { createService } from './create-service.ts';

/** Longest time a stop may take before the process ends anyway; whatever is unfinished is taken up at the next start. */
const STOP_WITHIN_MS = 20_000;

/** `quittance`: runs the service until it is told to stop. */
export async function serve({ provision, out }: { provision: string | null; out: string | null }): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const provisioning = provision === null ? null : { file: await readProvisioningFile(provision), out };
  const service = await createService({ config, log, clock: systemClock, provisioning, announce });
  let isStopping = false;
  const onTimeout = () => log.error('stopping took too long; what is unfinished is taken up at the next start');
  const stop = closeWithGrace({ delay: STOP_WITHIN_MS, logger: false, onTimeout }, async ({ signal, err }) => {
    isStopping = true;
    if (err !== undefined) log.fatal({ err }, 'unexpected error: stopping');
    else log.info({ signal }, 'stopping');
    await service.close();
  });
  try {
    await service.start();
  } catch (error) {
    // Whoever stops a service that is still starting makes the start fail, which is no news.
    if (isStopping) return;
    stop.uninstall();
    await service.close();
    throw error;
  }
}

// Helpers

/** For the person at the terminal, beside the log. */
function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
