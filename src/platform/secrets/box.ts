import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { TerminalError } from '../errors.ts';

/** Encrypts small secrets that must be readable later, such as webhook signing secrets. */
export interface SecretBox {
  /**
   * Encrypts the text for one context, e.g. `webhook:whk_…`. The result is ASCII and decrypts only
   * with the same key and context, so a value copied to another row is rejected.
   */
  seal(plaintext: string, context: string): string;
  /** Decrypts a sealed text. Throws a `TerminalError` SECRET_UNREADABLE that names the remedy. */
  open(sealed: string, context: string): string;
  /** Whether the text's key id is that of the current key. Only `open` verifies it. */
  isCurrent(sealed: string): boolean;
}

/**
 * A box that supports key rotation: encrypts with `key`, decrypts with `key` or `previous`. Both
 * have 32 bytes. Throws a `TerminalError` SECRETS_KEY_UNCHANGED when they are equal.
 */
export function createSecretBox(key: Uint8Array, previous: Uint8Array | null = null): SecretBox {
  if (previous !== null && Buffer.compare(key, previous) === 0) throw unchanged();
  const present = createBoxOf(key);
  const former = previous === null ? null : createBoxOf(previous);
  return {
    seal: present.seal,
    open(sealed, context) {
      // A text from neither key fails in the current box, whose message names the remedy.
      return (former?.isCurrent(sealed) === true ? former : present).open(sealed, context);
    },
    isCurrent: present.isCurrent,
  };
}

// Helpers

/**
 * A box over AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce per message, safe for 2^32
 * messages per key. The format is `v1.<key id>.<base64url of nonce, ciphertext, tag>`; key id and
 * context are authenticated. The key must have 32 bytes.
 */
function createBoxOf(key: Uint8Array): SecretBox {
  if (key.length !== KEY_BYTES) throw new RangeError(`the key of a secret box has 32 bytes, got ${key.length}`);
  const keyId = createHash('sha256').update('quittance secret box key id\0').update(key).digest('hex').slice(0, 8);

  function additionalData(context: string): Buffer {
    return Buffer.from(`${VERSION}.${keyId}.${context}`, 'utf8');
  }

  function seal(plaintext: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(context));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return `${VERSION}.${keyId}.${Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
  }

  function open(sealed: string, context: string): string {
    const [, version, sealedKeyId, body = ''] = SEALED.exec(sealed) ?? [];
    if (version !== VERSION) throw unreadable('its format is unknown; a newer version may have created it');
    if (sealedKeyId !== keyId) {
      throw unreadable(
        'it was encrypted with another key; use that SECRETS_KEY or secrets.key, or set SECRETS_KEY_PREVIOUS to it',
      );
    }
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable(TAMPERED);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch (cause) {
      throw unreadable(TAMPERED, cause);
    }
  }

  return { seal, open, isCurrent: (sealed) => SEALED.exec(sealed)?.[2] === keyId };
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^(v\d+)\.([0-9a-f]{8})\.([A-Za-z0-9_-]*)$/;
const TAMPERED = 'it was modified or belongs to another row; generate a new secret';

function unchanged(): TerminalError {
  return new TerminalError(
    'SECRETS_KEY_UNCHANGED',
    'SECRETS_KEY_PREVIOUS equals the current key: set SECRETS_KEY (or secrets.key) to a new key, or unset SECRETS_KEY_PREVIOUS.',
  );
}

function unreadable(why: string, cause?: unknown): TerminalError {
  return new TerminalError('SECRET_UNREADABLE', `A stored secret cannot be read: ${why}.`, { cause });
}
