<?php
// php -S 127.0.0.1:8000 verify.php
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
http_response_code(204);
