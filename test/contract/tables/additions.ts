import type { AddedField } from '../check.ts';

/**
 * Everything the service adds to the interface document, and where it differs from it, each with
 * the reason.
 */

export const ADDED_TO_ERROR = {
  details: {
    type: {
      listOf: { fields: { field: { type: 'string', required: 'yes' }, message: { type: 'string', required: 'yes' } } },
    },
    required: 'no',
    absent: 'when no field of the request is known to be wrong',
    why: 'a form can show each mistake beside its field',
  },
} as const satisfies Readonly<Record<string, AddedField>>;

export const ADDED_TO_PAYMENT_EVENT = {
  sequence: {
    type: 'integer',
    required: 'yes',
    why: 'deliveries overtake each other, and two events can have the same timestamp',
  },
  mode: {
    type: { oneOf: ['live', 'test'] },
    required: 'yes',
    why: 'a test payment pays nothing, and anybody with a publishable test key can make one',
  },
  items: {
    type: {
      listOf: {
        fields: {
          name: { type: 'string', required: 'yes' },
          quantity: { type: 'integer', required: 'yes' },
          price: { type: 'decimal string', required: 'yes' },
        },
      },
    },
    required: 'no',
    absent: 'unless the transaction is detailed',
    why: 'a warehouse needs to know what was bought, not only that it was paid',
  },
} as const satisfies Readonly<Record<string, AddedField>>;

export const ADDED_TO_RECURRING_EVENT = {
  sequence: { type: 'integer', required: 'yes', why: ADDED_TO_PAYMENT_EVENT.sequence.why },
  mode: ADDED_TO_PAYMENT_EVENT.mode,
} as const satisfies Readonly<Record<string, AddedField>>;

export const ADDED_TO_TRANSACTION = {
  amounts: {
    type: {
      fields: {
        crypto: { type: 'decimal string', required: 'yes' },
        fiat: { type: 'decimal string', required: 'yes' },
        usd: { type: 'decimal string', required: 'yes' },
        paid: { type: 'decimal string', required: 'yes' },
        remaining: { type: 'decimal string', required: 'yes' },
      },
    },
    required: 'yes',
    why: 'numbers of many languages are floats, and lose digits of an amount',
  },
  step: { type: 'integer', required: 'yes', why: 'a decision names the step that it is about' },
} as const satisfies Readonly<Record<string, AddedField>>;

/** Transaction.type: what a merchant pays to the operator is neither basic nor detailed. */
export const ADDED_TRANSACTION_TYPES = ['billing'];

export const ADDED_ERROR_CODES = {
  NOT_FOUND: { status: 404, why: 'a path that does not exist is no missing transaction' },
  IDEMPOTENCY_CONFLICT: { status: 409, why: 'a key that was used for another request must not answer with that one' },
  INVALID_STATE: { status: 409, why: 'what is asked for can be impossible at the moment' },
  SCHEDULE_NOT_FOUND: { status: 404, why: 'a recurring payment request is no transaction' },
  LINK_NOT_FOUND: { status: 404, why: 'a payment link is no transaction' },
  LINK_EXISTS: { status: 409, why: 'an address that was shared must not lead to something else' },
  MERCHANT_NOT_APPROVED: { status: 403, why: 'a merchant that signed up alone may not mail customers yet' },
  RECIPIENT_LIMIT_REACHED: { status: 429, why: 'no customer must be flooded with emails they did not request' },
  TOO_MANY_OPEN_PAYMENTS: { status: 429, why: 'anyone can open payments with a publishable key, so they are bounded' },
  INVALID_WEBHOOK_URL: { status: 400, why: 'most that is wrong with a URL is no matter of JSON' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, why: 'an endpoint is no transaction' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, why: 'likewise' },
  WEBHOOK_REPLAY_NOT_FOUND: { status: 404, why: 'likewise' },
  WEBHOOK_ENDPOINT_EXISTS: { status: 409, why: 'two endpoints with one URL would receive every event twice' },
  PAYMENT_LINK_PAID: { status: 409, why: 'the interface has the status for it, and no code' },
  PAYMENT_LINK_EXPIRED: { status: 410, why: 'the interface has the status for it, and no code' },
  INTERNAL_ERROR: { status: 500, why: 'the list of the interface ends open; this is for our own faults' },
} as const;

/** Statuses of an endpoint that the interface lists for other endpoints only. */
export const ADDED_STATUSES = {
  400: 'a query or body that cannot be right is refused, never guessed at',
  401: 'a key can be missing or unknown wherever one is needed',
  403: 'a publishable key is referred to GET /pay, wherever it is sent, and a plan can have ended',
  404: 'an id can be unknown',
  409: 'idempotency keys and open payments of a customer are the same for every create',
  429: 'request limits hold for every request',
  500: 'what the interface lists as internal errors can happen to every request',
  503: 'load balancers ask /health whether the database answers',
} as const;

/** Documented operations that serve no merchant and are not part of the interface. */
export const FOR_OPERATORS = {
  getHealthDetails: 'operators need to see how each network is watched',
};

export const ADDED_RESPONSE_HEADERS = {
  'X-Request-Id': 'a user who reports a failure can name it',
  'X-Idempotency-Replayed': 'distinguishes the response to a retry from that to a first request',
  'WWW-Authenticate': 'RFC 9110 asks for a challenge with every 401',
  'Cache-Control': 'answers are for one caller at one moment',
  'X-Content-Type-Options': 'JSON is never taken for a page',
  'Content-Security-Policy': 'a response that is opened as a page can do nothing',
  'Cross-Origin-Opener-Policy': 'a page that opens a response in a window cannot reach into it',
  'Cross-Origin-Resource-Policy': 'no page of others loads a response',
  'Permissions-Policy': 'a response needs no camera, no place and no payment of a browser',
  'X-Frame-Options': 'no page of others frames a response, in old browsers either',
  'Strict-Transport-Security': 'a browser that came by https comes by https again',
  Deprecation: 'RFC 9745: informs programs that GET /balances is deprecated',
  Link: 'RFC 9745: why it is deprecated',
  Vary: 'GET /pay answers browsers with pages',
  'Referrer-Policy': 'the address of GET /pay holds a key and a price',
  'Set-Cookie': 'GET /pay knows a browser by it, since network addresses are shared',
  'X-Robots-Tag': 'payments are nothing for a search engine',
};

export const ADDED_WEBHOOK_HEADERS = {
  'x-service-mode': 'routes and logs distinguish test from live without reading the body',
  'webhook-id': 'Standard Webhooks: verified by libraries that are there already',
  'webhook-timestamp': 'Standard Webhooks: an old delivery cannot be replayed',
  'webhook-signature': 'Standard Webhooks',
  'user-agent': 'says which service and version sends',
};
