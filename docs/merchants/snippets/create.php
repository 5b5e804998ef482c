<?php
$order = ['crypto' => 'LTC', 'amount' => 25, 'currency_fiat' => 'EUR', 'metadata' => ['order' => '1042']];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'timeout' => 10,
    'ignore_errors' => true,
    'header' => [
        'Authorization: Bearer ' . getenv('QUITTANCE_KEY'),
        'Content-Type: application/json',
        'X-Idempotency-Key: order-1042',
    ],
    'content' => json_encode($order, JSON_THROW_ON_ERROR),
]]);
$answer = file_get_contents(getenv('QUITTANCE_URL') . '/v1/transactions/create', false, $context);
$body = json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
if (!$body['success']) {
    fwrite(STDERR, "{$body['error']}: {$body['message']}\n");
    exit(1);
}
echo json_encode($body['data']), "\n";
