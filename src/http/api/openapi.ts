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
      servers: [{ url: API_PREFIX, description: 'Relative to the public URL of your deployment' }],
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
            description: 'The value of OPERATOR_TOKEN, for operators of the service.',
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
const INTRODUCTION = `Accept cryptocurrency payments straight into your own wallet. Create a transaction, send the customer to its \`payment_url\`,
and wait for the webhook \`payment.completed\`.

**Keys.** Send a secret key as \`Authorization: Bearer sk_...\`, from your server only. \`sk_live_\` keys accept real coins;
\`sk_test_\` keys use a simulated network that \`POST /transactions/{transaction_id}/simulate\` controls, or test networks if the operator
has connected them. Responses have the same format.

**Responses.** Success is \`{"success": true, "data": ...}\`, failure is \`{"success": false, "error": "CODE", "message": "..."}\`, with
\`details\` for each invalid field. Every response carries X-Request-Id; include it when you report a problem. New fields may be
added to responses at any time. Unknown fields in a request are rejected.

**Amounts** are JSON numbers; in webhooks they are decimal strings. Times are ISO 8601 in UTC.

**Idempotency.** Send \`X-Idempotency-Key\`, ideally your order number, with every create: a repeated request with the same key and body
returns the original transaction. On 429 \`RATE_LIMIT_EXCEEDED\` and most 500, \`Retry-After\` says when to retry.

**Webhooks** are signed with the secret of your endpoint. Verify the signature over the raw bytes, respond with 2xx within
10 seconds, skip ids you have seen, order by \`sequence\`, and read the transaction before you deliver goods.`;

/** In the order of the reference; tags without a route are left out. */
const TAGS = [
  { name: 'Transactions', description: 'Payments of your customers' },
  { name: 'Payment links', description: 'URLs to share, where customers pay' },
  { name: 'Recurring', description: 'Recurring payment requests' },
  { name: 'Market data', description: 'Rates and supported coins' },
  { name: 'Account', description: 'Your plan and its usage' },
  { name: 'Billing', description: 'Buying a plan' },
  { name: 'Webhook endpoints', description: 'Where you receive events' },
  { name: 'Webhook deliveries', description: 'Delivery log and redelivery' },
  { name: 'Checkout', description: 'Redirects for the customer’s browser' },
  { name: 'System', description: 'The service itself' },
  { name: 'Webhooks', description: 'Requests to your own endpoints' },
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
