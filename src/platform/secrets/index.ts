export type { ApiKeyKind } from './api-key.ts';
export { hashApiKey, newApiKey } from './api-key.ts';
export type { SecretBox } from './box.ts';
export { createSecretBox } from './box.ts';
export { KEY_FILE, loadSecretKey } from './key-file.ts';
export { newPassword } from './random.ts';
export { replaceSecretFile } from './replace-secret-file.ts';
export { openOrNull, type Resealed, resealUntilDone } from './reseal.ts';
export { newWebhookSecret, webhookSigningKeys } from './webhook-secret.ts';
