import { isSetupOpen } from '../accounts/index.ts';
import type { LayoutOf } from '../http/console/index.ts';
import { createWalletFinder } from '../merchants/index.ts';
import { createMetrics } from '../monitoring/index.ts';
import { createLiveFeed } from '../operations/index.ts';
import { createChainOverview, createClientHash, createIdempotencyLookup } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Config, publicUrlOf } from '../platform/config/index.ts';
import type { Log } from '../platform/log.ts';
import { createSecretBox, loadSecretKey } from '../platform/secrets/index.ts';
import { openTracing } from '../platform/tracing/index.ts';
import { createRates } from '../rates/index.ts';
import { createTokens } from '../recurring/index.ts';
import { createAddressSupply, networkName } from '../wallets/index.ts';
import { bindMonitoring } from './bind-monitoring.ts';
import { createDemo } from './demo/demo.ts';
import { demoEmailsOf, demoInbox } from './demo/demo-inbox.ts';
import { demoPage } from './demo/demo-page.ts';
import { demoReceiver } from './demo/demo-receiver.ts';
import { demoWebhooksOf } from './demo/demo-webhooks.ts';
import { createReceivedWebhooks } from './demo/received-webhooks.ts';
import { createHttp } from './http.ts';
import { liveRateSources } from './live-rate-sources.ts';
import { openDatabase } from './open-database.ts';
import { paymentNetworksOf } from './payment-networks-of.ts';
import { reservePort } from './port.ts';
import type { ProvisioningFile } from './provisioning/file.ts';
import { createRuntime, parallelBatchesOf } from './runtime.ts';

export interface PartsOptions {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Applied before the service accepts requests; null for none. */
  readonly provisioning: { readonly file: ProvisioningFile; readonly out: string | null } | null;
  /**
   * Precomputed layouts of the console's charts; by default each chart is laid out on its first
   * request.
   */
  readonly layoutOf?: LayoutOf;
}

/**
 * The composition root: builds every part of a process from its settings and starts none.
 * `wasReady`: whether all roles of this process have started.
 */
export async function buildParts(options: PartsOptions, wasReady: () => boolean) {
  const { config, log, clock, provisioning, layoutOf } = options;
  // Only the api role listens; a worker on the same machine must not fail because the port is
  // taken.
  const reserved = config.roles.includes('api') ? await reservePort(config) : null;
  const port = reserved?.port ?? config.port;
  const publicUrl = publicUrlOf(config, port);
  const secretKey = await loadSecretKey(config);
  const secretBox = createSecretBox(secretKey, config.secretsKeyPrevious);
  const { urls, receiverUrl } = demoWebhooksOf(config, { isProvisioned: provisioning !== null, port });
  const endpoints = { secretBox, urls, plansEnabled: config.plansEnabled };
  const clientHash = createClientHash(secretKey);
  const connection = await openDatabase(config, (error) => {
    log.debug({ reason: error.message }, 'an idle database connection was lost');
  });
  const { db } = connection;
  const metrics = config.monitor.port === null ? null : createMetrics();
  const observers = metrics?.observers;
  const networks = paymentNetworksOf(config);
  const tokens = createTokens(secretKey);
  const { tracer, close: closeTracing } = await openTracing({ ...config.traces, roles: config.roles, log });
  const parallelBatches = parallelBatchesOf(connection, config.database.poolSize);
  const runtime = createRuntime({ config, db, clock, log, tracer, publicUrl, tokens, observers, parallelBatches });
  const live = liveRateSources({ config, clock, log });
  const rates = createRates({ clock, log, sources: live.sources });
  const wallets = createWalletFinder({ db });
  const addresses = createAddressSupply({ db, log });
  const watched = config.nodes.map((node) => networkName(node.chain, node.networkKind));
  const overview = createChainOverview({ db, clock, networks: watched });
  const monitoring = bindMonitoring({ config, metrics, connection, runtime, rates, networks: watched, clock, log });
  const { readiness, monitor, probes } = monitoring;
  const findByIdempotencyKey = createIdempotencyLookup(db);
  const create = {
    db,
    engine: runtime.engine,
    rates,
    networks,
    wallets,
    addresses,
    findByIdempotencyKey,
    overview,
    publicUrl,
  };
  const feed = createLiveFeed({ db, log });
  // Billing identifies the operator's merchant by name.
  const reservedNames = config.operatorMerchant === null ? [] : [config.operatorMerchant];
  const demo = createDemo({ db, clock, dataDir: config.dataDir, create, endpoints, publicUrl, receiverUrl });
  const received = createReceivedWebhooks({ db, secretBox, clock });
  const mayBeSetUp = async () => wasReady() && (await isSetupOpen(db));
  const http = config.roles.includes('api')
    ? await createHttp({
        config,
        port,
        connection,
        runtime,
        clock,
        log,
        tracer,
        create,
        clientHash,
        tokens,
        overview,
        endpoints,
        observer: observers?.requests,
        layoutOf,
        plugins: [probes],
        pages: [demoPage(demo, mayBeSetUp), demoInbox(demo, demoEmailsOf(db)), demoReceiver(demo, received)],
        accounts: {
          db,
          clock,
          secretBox,
          publicUrl,
          reauthMinutes: config.reauthMinutes,
          signUp: { isOpen: config.signUpOpen, reservedNames },
        },
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
  return {
    reserved,
    publicUrl,
    endpoints,
    connection,
    observers,
    networks,
    secretBox,
    tracer,
    closeTracing,
    runtime,
    live,
    rates,
    addresses,
    readiness,
    monitor,
    feed,
    demo,
    http,
  };
}
