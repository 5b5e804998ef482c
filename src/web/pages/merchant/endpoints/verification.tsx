import { useState } from 'react';
import { Snippet } from '../../../ui/snippet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';

/**
 * How a receiver verifies a webhook, with code to copy. Both snippets do the same as the example
 * servers of the documentation.
 */
export function Verification() {
  const [shown, setShown] = useState('node');
  return (
    <div className="form verification">
      <ol className="steps">
        <li>Verify the signature over the raw bytes, before you parse them.</li>
        <li>
          Reject events whose <code>mode</code> is not your server’s mode: test payments are not paid.
        </li>
        <li>Store the event, unless its id is already stored: an event can arrive twice.</li>
        <li>Respond with a status from 200 to 299 within 10 seconds, and process the event afterwards.</li>
        <li>Before you hand over goods, fetch the payment from the API.</li>
      </ol>
      <Tabs
        label="Language"
        shown={shown}
        show={setShown}
        tabs={[
          { id: 'node', label: 'Node.js', content: <Snippet label="the code for Node.js">{NODE}</Snippet> },
          { id: 'php', label: 'PHP', content: <Snippet label="the code for PHP">{PHP}</Snippet> },
        ]}
      />
      <p className="soft">
        For events, retries and the second kind of signature, see “Webhooks” in the documentation. For the requests, see
        the{' '}
        <a href="/docs" target="_blank" rel="noreferrer noopener">
          API reference
        </a>
        .
      </p>
    </div>
  );
}

// Helpers

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes of the request, as they came. mode: 'live' or 'test'.
export function readEvent(rawBody, headers, mode) {
  const sum = createHmac('sha256', process.env.WEBHOOK_SECRET).update(rawBody).digest('hex');
  const expected = Buffer.from('sha256=' + sum);
  const given = Buffer.from(headers['x-service-signature'] ?? '');
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new Error('wrong signature');
  const event = JSON.parse(rawBody);
  if (event.mode !== mode) throw new Error('wrong mode');
  return event;
}`;

const PHP = `<?php
const MAX_AGE_SECONDS = 300;

/** Returns the event; null unless it is signed, recent and of this mode. */
function readEvent(string $rawBody): ?array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $matching = array_filter($signatures, fn ($signature) => hash_equals($expected, $signature));
    if ($matching === [] || abs(time() - (int) $timestamp) > MAX_AGE_SECONDS) {
        return null;
    }
    $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    return ($event['mode'] ?? null) === (getenv('WEBHOOK_MODE') ?: 'live') ? $event : null;
}

$event = readEvent(file_get_contents('php://input'));
if ($event === null) {
    http_response_code(400);
    exit;
}
error_log("{$event['id']} {$event['event']}"); // Store it here, unless its id is there already.
http_response_code(204);`;
