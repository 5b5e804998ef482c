export interface CodeSnippet {
  readonly id: 'curl' | 'node' | 'php';
  readonly label: string;
  readonly code: string;
}

/** Placeholder for a key: keys are shown only once, when they are created. */
export const KEY_PLACEHOLDER = 'sk_test_YOUR_KEY';
/** Webhook endpoints are managed with live keys only. */
const LIVE_KEY_PLACEHOLDER = 'sk_live_YOUR_KEY';
const SECRET_PLACEHOLDER = 'whsec_YOUR_SECRET';
/** Quoted here, so that no snippet is mistaken for an import of this file. */
const CLIENT = "'quittance/client'";

/** Reads the account of the key: the smallest request that shows that the key works. */
export function accountSnippets(apiUrl: string): readonly CodeSnippet[] {
  return [
    { id: 'curl', label: 'curl', code: `curl -s ${apiUrl}/account -H "Authorization: Bearer ${KEY_PLACEHOLDER}"` },
    {
      id: 'node',
      label: 'Node',
      code: `import { createClient } from ${CLIENT};

const client = createClient({ baseUrl: '${apiUrl}', apiKey: '${KEY_PLACEHOLDER}' });
console.log(await client.api.getAccount());`,
    },
    {
      id: 'php',
      label: 'PHP',
      code: `<?php
$context = stream_context_create(['http' => ['header' => ['Authorization: Bearer ${KEY_PLACEHOLDER}']]]);
echo file_get_contents('${apiUrl}/account', false, $context), "\\n";`,
    },
  ];
}

/** Creates a payment as a shop does. */
export function paymentSnippets(apiUrl: string): readonly CodeSnippet[] {
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl -s ${apiUrl}/transactions/create \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -H "X-Idempotency-Key: order-1042" \\
  -d '{"crypto": "LTC", "amount": 25, "currency_fiat": "EUR", "metadata": {"order": "1042"}}'`,
    },
    {
      id: 'node',
      label: 'Node',
      code: `import { createClient } from ${CLIENT};

const client = createClient({ baseUrl: '${apiUrl}', apiKey: '${KEY_PLACEHOLDER}' });
const payment = await client.create(
  { crypto: 'LTC', amount: 25, currency_fiat: 'EUR', metadata: { order: '1042' } },
  { idempotencyKey: 'order-1042' },
);
console.log(payment.payment_url); // Send your customer there.`,
    },
    {
      id: 'php',
      label: 'PHP',
      code: `<?php
$order = ['crypto' => 'LTC', 'amount' => 25, 'currency_fiat' => 'EUR', 'metadata' => ['order' => '1042']];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'ignore_errors' => true,
    'header' => [
        'Authorization: Bearer ${KEY_PLACEHOLDER}',
        'Content-Type: application/json',
        'X-Idempotency-Key: order-1042',
    ],
    'content' => json_encode($order, JSON_THROW_ON_ERROR),
]]);
$answer = json_decode(file_get_contents('${apiUrl}/transactions/create', false, $context), true);
echo $answer['data']['payment_url'], "\\n"; // Send your customer there.`,
    },
  ];
}

/** Receives an event and verifies its signature. */
export function receiverSnippets(apiUrl: string): readonly CodeSnippet[] {
  return [
    {
      id: 'node',
      label: 'Node',
      code: `import { createServer } from 'node:http';
import { verifyWebhook } from ${CLIENT};

createServer(async (request, response) => {
  try {
    const rawBody = Buffer.concat(await request.toArray());
    const event = verifyWebhook(rawBody, request.headers, '${SECRET_PLACEHOLDER}', { mode: 'test' }); // 'live' in production.
    console.log(event.id, event.event); // Store it here, unless its id is there already.
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8000);`,
    },
    {
      id: 'php',
      label: 'PHP',
      code: `<?php
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, '${SECRET_PLACEHOLDER}');
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(400);
    exit;
}
$event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
if ($event['mode'] !== 'test') { // 'live' in production.
    http_response_code(400);
    exit;
}
error_log("{$event['id']} {$event['event']}"); // Store it here, unless its id is there already.
http_response_code(204);`,
    },
    {
      id: 'curl',
      label: 'curl',
      code: `curl -s ${apiUrl}/webhooks/endpoints -H "Authorization: Bearer ${LIVE_KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" -d '{"url": "https://shop.example/webhooks", "modes": ["test"]}'`,
    },
  ];
}
