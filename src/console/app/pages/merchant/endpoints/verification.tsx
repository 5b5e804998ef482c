import { useState } from 'react';
import { Snippet } from '../../../ui/snippet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';

/** What a receiver must do, with code to be copied. Both snippets do the same as the example servers of the documentation. */
export function Verification() {
  const [shown, setShown] = useState('node');
  return (
    <div className="form verification">
      <ol className="steps">
        <li>Check the signature over the bytes as they came, before they are parsed.</li>
        <li>Store the event, unless one with its id is there already: the same one can come twice.</li>
        <li>Answer with a status from 200 to 299 within 10 seconds, and do the work after that.</li>
        <li>Before you hand over goods, ask the API for the payment.</li>
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
        Everything about events, retries and the second kind of signature is in “Webhooks” of the documentation; the
        requests are in the{' '}
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

// rawBody: the bytes of the request, as they came.
export function isSigned(rawBody, headers) {
  const sum = createHmac('sha256', process.env.WEBHOOK_SECRET).update(rawBody).digest('hex');
  const expected = Buffer.from('sha256=' + sum);
  const given = Buffer.from(headers['x-service-signature'] ?? '');
  return expected.length === given.length && timingSafeEqual(expected, given);
}`;

const PHP = `<?php
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, getenv('WEBHOOK_SECRET'));
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(400);
    exit;
}
$event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
// Store $event here, unless its id is there already.
http_response_code(204);`;
