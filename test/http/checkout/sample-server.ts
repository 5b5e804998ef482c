import { fastify } from 'fastify';
import { checkoutRoutes } from '../../../src/http/checkout/index.ts';
import type { CustomerView } from '../../../src/payments/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { bytesOfImage, IMAGES } from '../../images/samples.ts';
import { silentLog } from '../../support/silent-log.ts';
import { NOW, SAMPLES } from './samples.ts';

/**
 * The checkout with the samples, at the time they are made for: every screen at an address, without
 * a database.
 */
export interface SampleServer {
  readonly url: string;
  /** The address of a sample's page, by the name of the sample. */
  pageOf(name: string, language?: string): string;
  stop(): Promise<void>;
}

/** The id of a payment whose database is always down. */
export const AWAY_ID = 'txn_zzzzzzzzzzzzzzzzzzzzzzzzzz';
/** The id of a payment that does not exist. */
export const UNKNOWN_ID = 'txn_yyyyyyyyyyyyyyyyyyyyyyyyyy';

export async function startSampleServer(): Promise<SampleServer> {
  const names = Object.keys(SAMPLES);
  const idOf = (name: string) => `txn_${String(names.indexOf(name)).padStart(26, '0')}`;
  const samples = new Map(Object.entries(SAMPLES).map(([name, sample]) => [idOf(name), { ...sample, id: idOf(name) }]));
  const list = async (ids: readonly string[]): Promise<CustomerView[]> => ids.flatMap((id) => samples.get(id) ?? []);
  const app = fastify({ forceCloseConnections: true });
  await app.register(checkoutRoutes, {
    transactions: {
      async get(id) {
        if (id === AWAY_ID) throw new RetryableError('DATABASE_UNAVAILABLE', 'away', { retryAfterMs: 60_000 });
        return samples.get(id) ?? null;
      },
      list,
      listVersions: list,
      simulate: () => Promise.reject(new Error('samples cannot be simulated')),
      giveReceiptAddress: () => Promise.reject(new Error('samples do not change')),
    },
    clock: { now: () => NOW },
    log: silentLog,
  });
  app.get('/images/logo', (_request, reply) => reply.type('image/png').send(bytesOfImage(IMAGES.PNG)));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    pageOf: (name, language) => `${url}/transaction/${idOf(name)}${language === undefined ? '' : `?lang=${language}`}`,
    stop: () => app.close(),
  };
}
