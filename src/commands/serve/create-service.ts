import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../clock.ts';
import { type Config, publicUrlOf } from '../../config/index.ts';
import type { Connection } from '../../db/index.ts';
import type { Log } from '../../log.ts';
import { createWalletFinder } from '../../merchants/index.ts';
import { createLiveFeed } from '../../operations/index.ts';
import { createChainOverview, createClientHash } from '../../payments/index.ts';
import { createRates } from '../../rates/index.ts';
import { createTokens } from '../../recurring/index.ts';
import { createSecretBox, loadSecretKey } from '../../secrets/index.ts';
import { createAddressSupply, networkName } from '../../wallets/index.ts';
import { liveNetworksOf } from '../live-networks-of.ts';
import { openDatabase } from '../open-database.ts';
import { provisionFile } from '../provision/command.ts';
import type { ProvisioningFile } from '../provision/file.ts';
import { createDemo } from './demo.ts';
import { demoInbox } from './demo-inbox.ts';
import { demoMailsOf } from './demo-mails.ts';
import { demoPage } from './demo-page.ts';
import { createHttp } from './http.ts';
import { liveRateSources } from './live-rate-sources.ts';
import { portToListenOn } from './port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createRuntime } from './runtime.ts';
import { startWatchers } from './watchers.ts';
import { startWorkers } from './workers.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Applied before the service takes requests; null for none. */
  readonly provisioning: { readonly file: ProvisioningFile; readonly out: string | null } | null;
  /** Told a few lines for the person at the terminal. */
  readonly announce: (text: string) => void;
}

export interface Service {
  readonly publicUrl: string;
  /** Resolves when everything this process is asked to do is running. Waits for the database if it must. */
  start(): Promise<void>;
  /** Stops taking work, finishes what runs, closes connections. Whatever is left is in the database. */
  close(): Promise<void>;
}

/** The composition root: builds every part from the settings and says in which order they start and stop. */
export async function createService({ config, log, clock, provisioning, announce }: ServiceOptions): Promise<Service> {
  // Only the api role listens; a worker beside it must not mind that the port is taken.
  const port = config.roles.includes('api') ? await portToListenOn(config) : config.port;
  const publicUrl = publicUrlOf(config, port);
  const secretKey = await loadSecretKey(config);
  const secretBox = createSecretBox(secretKey, config.secretsKeyPrevious);
  const endpoints = { secretBox, urls: config.webhooks, plansEnabled: config.plansEnabled };
  const clientHash = createClientHash(secretKey);
  const connection = await openDatabase(config, (error) => {
    log.debug({ reason: error.message }, 'an idle database connection broke');
  });
  const { db } = connection;
  const networks = liveNetworksOf(config);
  const tokens = createTokens(secretKey);
  const runtime = createRuntime({ config, db, clock, log, publicUrl, tokens });
  const live = liveRateSources({ config, clock, log });
  const rates = createRates({ clock, log, sources: live.sources });
  const wallets = createWalletFinder({ db });
  const addresses = createAddressSupply({ db, log });
  const watched = config.nodes.map((node) => networkName(node.chain, node.networkKind));
  const overview = createChainOverview({ db, clock, networks: watched });
  const create = { db, engine: runtime.engine, rates, networks, wallets, addresses, overview, publicUrl };
  const feed = createLiveFeed({ db, log });
  // Billing trusts it by its name.
  const reservedNames = config.operatorMerchant === null ? [] : [config.operatorMerchant];
  const demo = createDemo({ db, clock, dataDir: config.dataDir, create, publicUrl });
  const http = config.roles.includes('api')
    ? await createHttp({
        config,
        port,
        connection,
        runtime,
        clock,
        log,
        create,
        clientHash,
        tokens,
        overview,
        endpoints,
        doors: [demoPage(demo), demoInbox(demo, demoMailsOf(db, demo))],
        accounts: { db, clock, secretBox, publicUrl, signUp: { isOpen: config.signUpOpen, reservedNames } },
        operations: {
          db,
          clock,
          rates,
          networks: watched,
          kinds: runtime.kinds,
          engine: runtime.engine,
          bus: runtime.bus,
          feed,
        },
      })
    : null;

  const stops: (() => Promise<void>)[] = [];
  const aborted = new AbortController();

  return {
    publicUrl,

    async start() {
      // Listening comes first: while the database is away, callers are told to come back instead of being refused.
      await http?.listen();
      await prepareDatabase(connection, log, aborted.signal);
      if (provisioning !== null) {
        const endpoints = { secretBox, urls: config.webhooks, plansEnabled: config.plansEnabled };
        const deps = { db, clock, networks, endpoints };
        announce(await provisionFile(deps, provisioning.file, provisioning.out));
      }
      await rates.start();
      runtime.relay.start();
      if (config.roles.includes('worker')) {
        const { webhooks, mail } = config;
        stops.push((await startWorkers({ runtime, db, clock, log, secretBox, webhooks, mail })).stop);
      }
      if (config.roles.includes('watcher')) {
        stops.push(
          (await startWatchers({ nodes: config.nodes, runtime, db, clock, log, holder: holderName(connection) })).stop,
        );
      }
      const isDemo = connection.kind === 'embedded' && provisioning === null && (await demo.prepare());
      http?.open();
      log.info({ publicUrl, roles: config.roles, database: connection.kind }, 'quittance is running');
      if (isDemo && http !== null) announce(demo.invitation());
    },

    async close() {
      aborted.abort();
      await feed.stop();
      await http?.close();
      rates.stop();
      await live.close();
      // In reverse: watchers first, so that nothing new comes in while the workers finish.
      for (const stop of stops.toReversed()) await stop();
      await addresses.stop();
      await runtime.engine.drain();
      await runtime.relay.stop();
      await runtime.bus.close();
      await connection.close();
    },
  };
}

// Helpers

/**
 * What leases call this process. The embedded database has one process at a time, so a lease in it can only be one's own
 * from before a crash: there is nobody to wait for.
 */
function holderName({ kind }: Pick<Connection, 'kind'>): string {
  return kind === 'embedded' ? 'embedded' : `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}
