/**
 * Common mistakes when entering an extended public key, each with its remedy. Secrets were rejected
 * before (private-material.ts); the messages never contain any of the text.
 */

const PASTE_ACCOUNT_KEY = "Paste your wallet's extended public key (usually called xpub, zpub or account public key).";

const ADDRESS_PAYLOAD_BYTES = 21;
const BECH32_ADDRESS = /^(bc|tb|bcrt|ltc|tltc|rltc|ltcmweb|tmweb)1[0-9a-z]{6,}$/i;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const SINGLE_PUBLIC_KEY = /^(0x)?(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i;
const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** Why a text is not an extended key. `payload`: its base58check payload, or null for none. */
export function explainKeyMistake(text: string, payload: Uint8Array | null): string {
  if (text.trim() === '') return `The key is empty. ${PASTE_ACCOUNT_KEY}`;
  if (payload?.length === ADDRESS_PAYLOAD_BYTES || BECH32_ADDRESS.test(text) || EVM_ADDRESS.test(text)) {
    return `This is a single address, but every payment needs its own address. ${PASTE_ACCOUNT_KEY}`;
  }
  if (SINGLE_PUBLIC_KEY.test(text)) return `This is a single public key, not an extended one. ${PASTE_ACCOUNT_KEY}`;
  if (/\s/.test(text)) return 'The key contains spaces or line breaks. Paste only the key, on one line.';
  if (!BASE58_TEXT.test(text)) {
    return (
      'The key contains characters that extended keys do not have. Paste only the key, ' +
      'without a derivation path, brackets or a descriptor around it.'
    );
  }
  if (payload !== null) return `This is not an extended key: its length is wrong. ${PASTE_ACCOUNT_KEY}`;
  return 'The key is incomplete or mistyped: its checksum does not match. Copy it from your wallet again.';
}
