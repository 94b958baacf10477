<?php
// Receives Gatehouse's webhooks. PHP 8, no packages.
// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receiver.php

$secret = getenv('WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    http_response_code(500);
    exit;
}

// The signature is over the bytes as they came: read them before anything parses them.
$body = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_HUB_SIGNATURE_256'] ?? '')) {
    http_response_code(401);
    exit;
}

$call = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
// The same transaction_id can come again: remember what was done, and answer 2xx within 15 seconds.
error_log($call['transaction_id'] . ' ' . $call['type'] . ' ' . $call['reference_user_id']);
http_response_code(204);
