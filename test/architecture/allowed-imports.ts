/**
 * The allowed imports, as data. Rows are ordered from the bottom up, and a row may name only rows
 * above it, so dependencies point downward by construction. `platform` stands for the files
 * directly in `src/platform/`, `main` for `src/main.ts`; every other row is `machines/` or the
 * folder `src/<name>/`.
 */
export interface FolderRule {
  readonly folder: string;
  readonly mayImport: readonly string[];
  /** Folders from which only these names may be imported. */
  readonly mayImportNames?: Readonly<Record<string, readonly string[]>>;
  /** Paths of other folders that may be imported past their `index.ts`. */
  readonly mayEnter?: RegExp;
  /** The reason for the row, printed when it is violated. */
  readonly because: string;
}

const GROUND = ['machines', 'platform'];
const PORTS = ['platform/config', 'platform/secrets', 'platform/db', 'platform/bus', 'chains', 'rates'];
/** Ordered: a feature may use earlier features, never later ones. */
const FEATURES = [
  'images',
  'merchants',
  'mail',
  'accounts',
  'webhooks',
  'payments',
  'links',
  'billing',
  'recurring',
  'operations',
];
const ROUTES = ['http/checkout', 'http/api', 'http/console'];
/** Names that a folder of routes may import beside the features. */
const ROUTE_NAMES: Readonly<Record<string, FolderRule['mayImportNames']>> = {
  // Browsers that open `GET /pay` get pages: the choice of a coin, and errors.
  'http/api': { 'http/checkout': ['payProblemPage', 'pricePage', 'rejectedLinkPage', 'SECURITY_HEADERS'] },
  // What the routes of the console hand to features.
  'http/console': { 'platform/secrets': ['SecretBox'] },
};

const SERVICE = [
  ...GROUND,
  ...PORTS,
  'platform/tracing',
  'platform/engine',
  'wallets',
  ...FEATURES,
  'http/plugins',
  ...ROUTES,
  'monitoring',
];

export const FOLDER_RULES: readonly FolderRule[] = [
  { folder: 'machines', mayImport: [], because: 'charts are pure and can be used without the service' },
  { folder: 'platform', mayImport: ['machines'], because: 'its own files know nothing that is built on them' },
  { folder: 'platform/config', mayImport: GROUND, because: 'settings are read before anything else exists' },
  {
    folder: 'platform/secrets',
    mayImport: [...GROUND, 'platform/config'],
    because: 'secrets are made, sealed and hashed here and nowhere else',
  },
  {
    folder: 'platform/tracing',
    mayImport: GROUND,
    because: 'spans are recorded and sent here, behind the port that all others see',
  },
  { folder: 'platform/db', mayImport: GROUND, because: 'the database layer knows tables, not what they are used for' },
  { folder: 'platform/bus', mayImport: GROUND, because: 'the bus only carries; it has no database' },
  { folder: 'chains', mayImport: GROUND, because: 'a watcher turns blocks into observations; it has no database' },
  { folder: 'rates', mayImport: [...GROUND, 'platform/config'], because: 'rates are fetched and held in memory' },
  {
    folder: 'platform/engine',
    mayImport: ['platform', 'platform/db', 'platform/bus'],
    mayImportNames: { machines: ['UnixMs', 'SECOND_MS', 'MINUTE_MS', 'HOUR_MS', 'DAY_MS', 'statePath'] },
    because: 'the engine runs any chart; it knows no payment, wallet or chain',
  },
  {
    folder: 'wallets',
    mayImport: [...GROUND, 'platform/db', 'chains'],
    because: 'wallets derive and allocate addresses',
  },
  ...FEATURES.map((folder, position) => ({
    folder,
    mayImport: [...GROUND, ...PORTS, 'platform/engine', 'wallets', ...FEATURES.slice(0, position)],
    because: `features may use the features before them, in the order ${FEATURES.join(', ')}`,
  })),
  { folder: 'http/plugins', mayImport: GROUND, because: 'what all routes share knows no feature' },
  ...ROUTES.map((folder) => ({
    folder,
    mayImport: [...GROUND, 'rates', 'http/plugins', ...FEATURES, ...(folder === 'http/console' ? ['wallets'] : [])],
    ...(ROUTE_NAMES[folder] === undefined ? {} : { mayImportNames: ROUTE_NAMES[folder] }),
    because: 'routes call features; they touch neither the engine nor the ports below it, nor each other',
  })),
  {
    folder: 'monitoring',
    mayImport: [...GROUND, 'rates', ...FEATURES],
    mayImportNames: {
      'platform/db': ['PoolUse'],
      'platform/bus': ['BusObserver'],
      chains: ['WatchObserver'],
      'platform/engine': ['EngineLoad', 'EngineObserver', 'ObservedBatch', 'RelayObserver', 'TimerObserver'],
      'http/api': ['RequestObserver'],
    },
    because: 'monitoring is a plugin of its own; what it watches reports through interfaces and does not import it',
  },
  {
    folder: 'web',
    mayImport: [...GROUND, 'http/console'],
    // A private key is refused before it leaves the browser.
    mayImportNames: { wallets: ['privateKeyRejection'] },
    mayEnter:
      /^src\/(http\/console\/(contract\/.+|text-measurement\/index|([\w-]+\/)+([\w-]+-)?schemas)|wallets\/private-material)\.ts$/,
    because: 'pages know the service by the types of its routes',
  },
  { folder: 'client', mayImport: [], because: 'the client runs where nothing of the service is' },
  {
    folder: 'testing',
    mayImport: [...GROUND, 'client'],
    mayImportNames: {
      webhooks: ['webhookEventId', 'DEFAULT_SUBSCRIPTION', 'WebhookEventType'],
      payments: ['paymentEventBody', 'paymentEventId'],
      recurring: ['recurringEventBody'],
    },
    because: 'the testing kit shows merchants what the service sends, and takes from it only how that is written',
  },
  {
    folder: 'service',
    mayImport: SERVICE,
    // The demo receives its own webhooks as a merchant does.
    mayImportNames: { client: ['verifyWebhook', 'WebhookError'] },
    because: 'the composition root sees everything but the commands',
  },
  { folder: 'cli', mayImport: [...SERVICE, 'service'], because: 'commands call features, and start the service' },
  { folder: 'main', mayImport: ['cli', 'platform'], because: 'it runs the command that was called' },
];

/** Packages that only some folders may import. A name ending in `/` stands for a whole scope. */
export const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  '@nats-io/': ['src/platform/bus/nats/'],
  '@opentelemetry/': ['src/platform/tracing/'],
  '@electric-sql/pglite': ['src/platform/db/'],
  pg: ['src/platform/db/'],
  kysely: [
    'src/platform/db/',
    'src/platform/engine/',
    'src/wallets/',
    ...FEATURES.map((folder) => `src/${folder}/`),
    'src/service/',
    'src/cli/',
  ],
  fastify: [
    'src/http/plugins/',
    ...ROUTES.map((folder) => `src/${folder}/`),
    'src/monitoring/',
    'src/service/',
    'src/cli/',
  ],
  '@fastify/': ROUTES.map((folder) => `src/${folder}/`),
  '@scalar/': ['src/http/api/'],
  'prom-client': ['src/monitoring/'],
  nodemailer: ['src/mail/'],
  'postal-mime': ['src/mail/'],
  elkjs: ['src/http/console/layout/'],
  'fast-check': ['src/testing/'],
  xstate: ['machines/', 'src/platform/engine/', 'src/http/console/', 'src/testing/'],
};

/** The only packages `machines/` may import; Node's built-in modules count as packages. */
export const MACHINE_PACKAGES = ['xstate'];
