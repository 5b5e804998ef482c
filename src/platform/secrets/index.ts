export { type ApiKeyKind, hashApiKey, newApiKey } from './api-key.ts';
export { createSecretBox, type SecretBox } from './box.ts';
export { KEY_FILE, loadSecretKey, replaceSecretFile } from './key-file.ts';
export { newPassword } from './random.ts';
export { openOrNull, type Resealed, resealUntilDone } from './reseal.ts';
export { newWebhookSecret, webhookSigningKeys } from './webhook-secret.ts';
