/**
 * The allowed imports, as data. Rows are ordered from the bottom up, and a row may name only rows
 * above it, so dependencies point downward by construction. `foundation` stands for the files
 * directly in `src/`, `main` for `src/main.ts` together with `src/cli/`; every other row is
 * `machines/` or the folder `src/<name>/`.
 */
export interface FolderRule {
  readonly folder: string;
  readonly mayImport: readonly string[];
  /** Folders from which only these names may be imported. */
  readonly mayImportNames?: Readonly<Record<string, readonly string[]>>;
  /** The reason for the row, printed when it is violated. */
  readonly because: string;
}

const GROUND = ['machines', 'foundation'];
const PORTS = ['config', 'secrets', 'db', 'bus', 'chains', 'rates'];
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
const ROUTES = ['checkout', 'api', 'console'];
/** Names that a folder of routes may import beside the features. */
const ROUTE_NAMES: Readonly<Record<string, FolderRule['mayImportNames']>> = {
  // Browsers that open `GET /pay` get pages: the choice of a coin, and errors.
  api: { checkout: ['payProblemPage', 'pricePage', 'SECURITY_HEADERS'] },
  // What the routes of the console hand to features, and how they report an outage.
  console: { db: ['asDatabaseOutage', 'whileDatabaseAnswers'], secrets: ['SecretBox'] },
};

export const FOLDER_RULES: readonly FolderRule[] = [
  { folder: 'machines', mayImport: [], because: 'charts are pure and can be used without the service' },
  { folder: 'foundation', mayImport: ['machines'], because: 'the foundation knows nothing that is built on it' },
  { folder: 'config', mayImport: GROUND, because: 'settings are read before anything else exists' },
  {
    folder: 'secrets',
    mayImport: [...GROUND, 'config'],
    because: 'secrets are made, sealed and hashed here and nowhere else',
  },
  {
    folder: 'tracing',
    mayImport: GROUND,
    because: 'spans are recorded and sent here, behind the port that all others see',
  },
  { folder: 'db', mayImport: GROUND, because: 'the database layer knows tables, not what they are used for' },
  { folder: 'bus', mayImport: GROUND, because: 'the bus only carries; it has no database' },
  { folder: 'chains', mayImport: GROUND, because: 'a watcher turns blocks into observations; it has no database' },
  { folder: 'rates', mayImport: [...GROUND, 'config'], because: 'rates are fetched and held in memory' },
  {
    folder: 'engine',
    mayImport: ['foundation', 'db', 'bus'],
    mayImportNames: { machines: ['UnixMs', 'SECOND_MS', 'MINUTE_MS', 'HOUR_MS', 'DAY_MS', 'statePath'] },
    because: 'the engine runs any chart; it knows no payment, wallet or chain',
  },
  { folder: 'wallets', mayImport: [...GROUND, 'db', 'chains'], because: 'wallets derive and allocate addresses' },
  ...FEATURES.map((folder, position) => ({
    folder,
    mayImport: [...GROUND, ...PORTS, 'engine', 'wallets', ...FEATURES.slice(0, position)],
    because: `features may use the features before them, in the order ${FEATURES.join(', ')}`,
  })),
  { folder: 'http', mayImport: GROUND, because: 'what all routes share knows no feature' },
  ...ROUTES.map((folder) => ({
    folder,
    mayImport: [...GROUND, 'rates', 'http', ...FEATURES, ...(folder === 'console' ? ['wallets'] : [])],
    ...(ROUTE_NAMES[folder] === undefined ? {} : { mayImportNames: ROUTE_NAMES[folder] }),
    because: 'routes call features; they touch neither the engine nor the ports below it, nor each other',
  })),
  {
    folder: 'monitoring',
    mayImport: [...GROUND, 'rates', ...FEATURES],
    mayImportNames: {
      db: ['PoolUse'],
      bus: ['BusObserver'],
      chains: ['WatchObserver'],
      engine: ['EngineLoad', 'EngineObserver', 'ObservedBatch', 'RelayObserver', 'TimerObserver'],
      api: ['RequestObserver'],
    },
    because: 'monitoring is a door of its own; what it watches tells it through interfaces and does not know it',
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
    folder: 'main',
    mayImport: [...GROUND, ...PORTS, 'tracing', 'engine', 'wallets', ...FEATURES, 'http', ...ROUTES, 'monitoring'],
    because: 'the composition root sees everything',
  },
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
    ...mainPaths(),
  ],
  fastify: ['src/http/plugins/', ...ROUTES.map((folder) => `src/${folder}/`), 'src/monitoring/', ...mainPaths()],
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

function mainPaths(): string[] {
  return ['src/main.ts', 'src/cli/'];
}
