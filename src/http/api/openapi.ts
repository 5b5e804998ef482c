import swagger from '@fastify/swagger';
import { fastify } from 'fastify';
import { addExamples, type DescribedPaths, describeWebhooks } from './examples/index.ts';
import { type MerchantApiDeps, merchantApi } from './merchant-api.ts';
import { API_PREFIX, SERVER_OPTIONS } from './server.ts';
import { shareErrorResponses } from './share-responses.ts';

/** Version of the API; the service has its own, which `GET /health` shows. */
const REFERENCE_VERSION = '1.0.1';

/** The OpenAPI 3.1 document of the merchant API, generated from the routes that serve it. */
export async function describeApi({ version }: { version: string }): Promise<object> {
  const app = fastify(SERVER_OPTIONS);
  await app.register(swagger, {
    hideUntagged: true,
    refResolver: {
      buildLocalReference: ({ $id }, _baseUri, _fragment, index) => (typeof $id === 'string' ? $id : `schema-${index}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Quittance merchant API',
        version: REFERENCE_VERSION,
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: API_PREFIX, description: 'Under the public address of your deployment' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          secretKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A secret API key: sk_live_... for real coins, sk_test_... for test payments.',
          },
          operatorToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'What OPERATOR_TOKEN is set to, for the operators of the service.',
          },
        },
      },
      security: [{ secretKey: [] }],
    },
  });
  const deps: MerchantApiDeps = {
    version,
    // Read while routes are registered; everything else is only used by handlers.
    operatorToken: null,
    bounceSecret: null,
    notifyActor: null,
    plans: { anonymous: { perMinute: 0, perHour: 0 }, termsOf: unused },
    isReady: () => false,
    isHttps: true,
    warnings: () => [],
    publicUrl: '',
    plansEnabled: false,
    operatorMerchant: null,
    maxOpenPerKey: 0,
    maxOpenPerClient: 0,
    maxUnconfirmed: 0,
    networkModes: new Map(),
    db: unusedPart(),
    engine: unusedPart(),
    clock: unusedPart(),
    rates: unusedPart(),
    networks: unusedPart(),
    wallets: unusedPart(),
    addresses: unusedPart(),
    findByIdempotencyKey: unused,
    overview: unusedPart(),
    authenticator: unusedPart(),
    limiter: unusedPart(),
    endpoints: unusedPart(),
    database: unusedPart(),
    bus: unusedPart(),
    tokens: unusedPart(),
    clientHash: () => '',
  };
  await app.register((scope) => merchantApi(scope, deps), { prefix: API_PREFIX });
  await app.ready();
  // Its own type covers any version of OpenAPI; this is the part that is completed here.
  const document = app.swagger() as unknown as Description;
  await app.close();
  addExamples(document.paths);
  return {
    ...document,
    components: { ...document.components, responses: shareErrorResponses(document.paths) },
    tags: document.tags.filter(({ name }) => isUsed(document, name)),
    webhooks: describeWebhooks(),
  };
}

// Helpers

/** What applies to every operation, in Markdown. */
const INTRODUCTION = `Take cryptocurrency payments straight into your own wallet. Create a transaction, send the customer to its \`payment_url\`,
and wait for the webhook \`payment.completed\`.

**Keys.** Send a secret key as \`Authorization: Bearer sk_...\`, from your server only. \`sk_live_\` keys take real coins;
\`sk_test_\` keys use a simulated network that \`POST /transactions/{transaction_id}/simulate\` drives, or test networks where the operator
has connected them. Answers look the same.

**Answers.** Success is \`{"success": true, "data": ...}\`, failure is \`{"success": false, "error": "CODE", "message": "..."}\`, with
\`details\` for each field that is wrong. Every response carries X-Request-Id; name it when you report a problem. New fields may be
added to answers at any time. Fields that a request does not have are refused.

**Amounts** are JSON numbers; in webhooks they are decimal strings. Times are ISO 8601 in UTC.

**Repeating.** Send \`X-Idempotency-Key\`, best your order number, with every create: repeated with the same key and body it answers
with the original transaction. 429 \`RATE_LIMIT_EXCEEDED\` and most 500 say in \`Retry-After\` when to repeat a request.

**Webhooks** are signed with the secret of your endpoint. Check the signature over the raw bytes, answer 2xx within 10 seconds, skip
ids you have seen, order by \`sequence\`, and read the transaction before you hand over goods.`;

/** In the order of the reference; tags without a route are left out. */
const TAGS = [
  { name: 'Transactions', description: 'Payments of your customers' },
  { name: 'Payment links', description: 'Addresses to share, behind which customers pay' },
  { name: 'Recurring', description: 'Recurring payment requests' },
  { name: 'Market data', description: 'Rates, and the coins there are' },
  { name: 'Account', description: 'Your plan, and what is used of it' },
  { name: 'Billing', description: 'Buying a plan' },
  { name: 'Webhook endpoints', description: 'Where you receive events' },
  { name: 'Webhook deliveries', description: 'What was sent to them, and sending it again' },
  { name: 'Checkout', description: 'Where the browser of a customer goes' },
  { name: 'System', description: 'The service itself' },
  { name: 'Webhooks', description: 'What is posted to your own endpoints' },
];

interface Description {
  readonly components: object;
  readonly paths: DescribedPaths;
  readonly tags: typeof TAGS;
}

function isUsed({ paths }: Description, tag: string): boolean {
  return tag === 'Webhooks' || JSON.stringify(paths).includes(`"tags":["${tag}"]`);
}

function unused(): Promise<never> {
  return Promise.reject(new Error('This server only describes itself'));
}

function unusedPart<Part extends object>(): Part {
  // Every property is a function; no check could verify the part's own type.
  return new Proxy({}, { get: () => unused }) as Part;
}
