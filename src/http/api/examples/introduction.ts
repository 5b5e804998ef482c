/** Introduction of the API reference, in Markdown: what applies to every operation. */
export const INTRODUCTION = `Take cryptocurrency payments straight into your own wallet. Create a transaction, send the customer to its \`payment_url\`,
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
