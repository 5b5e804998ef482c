import { decodeBase58check } from './base58check.ts';
import { KEY_VERSIONS } from './key-versions.ts';

/**
 * Detects input that can spend funds and must never be given to a payment server. It prefers false
 * positives: a mistyped private key is still a secret, so look-alikes with a bad checksum match
 * too. The console's pages run it as well, before a key leaves the browser: it imports nothing that
 * only Node.js has.
 */

const EXTENDED_KEY_BYTES = 78;
/** Offset of the 33 key bytes in a serialised extended key; 0x00 there means private (BIP32). */
const KEY_BYTES_OFFSET = 45;
/** Version byte + 32 key bytes, optionally followed by 0x01 for a compressed public key. */
const WIF_BYTES = [33, 34];
/** BIP38: a private key encrypted with a passphrase. */
const BIP38_BYTES = 39;
const BIP38_OPENING = [0x0142, 0x0143];
/** The shortest BIP39 mnemonic has 12 words; with one missing it can still be brute-forced. */
const MNEMONIC_MIN_WORDS = 11;

const PRIVATE_PREFIXES = KEY_VERSIONS.map((row) => row.privatePrefix);
const EXTENDED_PRIVATE_LOOKALIKE = new RegExp(`^(${PRIVATE_PREFIXES.join('|')}|[A-Za-z]prv)[0-9A-Za-z]{40,}$`);
/** With the version bytes of the supported coins, a WIF key starts with one of these characters. */
const WIF_LOOKALIKE = /^[5679KLQTXc][1-9A-HJ-NP-Za-km-z]{50,51}$/;
const HEX_SECRET = /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i;
const WORD = /^[\p{L}\p{M}]+$/u;
/** List numbering such as "7", "7." or "7)" before a word, with or without a space. */
const WORD_NUMBERING = /^\d{1,2}[.):]?/;

/**
 * The message for a user who enters a secret; null when the text is not one. Never quotes the text.
 */
export function privateKeyRejection(text: string): string | null {
  const kind = describePrivateMaterial(text);
  if (kind === null) return null;
  return (
    `This is ${kind}: it can spend your money and must never be given to anyone, including this server. ` +
    'It was not stored, but treat it as exposed and move the funds to a new wallet. ' +
    "Use your wallet's extended PUBLIC key instead (usually called xpub, zpub or account public key)."
  );
}

/** The kind of secret in the text, as a phrase for a message, or null. Never quotes the text. */
export function describePrivateMaterial(text: string): string | null {
  // Check the text without whitespace, in case a secret is split over lines, and each token, to
  // find a secret inside a descriptor ("wpkh(xprv…/0/*)") or a note.
  for (const token of [text.replace(/\s+/g, ''), ...text.split(/[^0-9A-Za-z]+/)]) {
    const kind = describeToken(token);
    if (kind !== null) return kind;
  }
  return looksLikeMnemonic(text) ? 'a recovery phrase (mnemonic)' : null;
}

function describeToken(token: string): string | null {
  if (EXTENDED_PRIVATE_LOOKALIKE.test(token)) return 'an extended private key';
  if (HEX_SECRET.test(token)) return 'a raw private key or seed';
  const payload = decodeBase58check(token);
  if (payload !== null) return describePayload(payload);
  return WIF_LOOKALIKE.test(token) ? 'a private key (WIF)' : null;
}

function describePayload(payload: Uint8Array): string | null {
  if (payload.length === EXTENDED_KEY_BYTES) {
    return payload[KEY_BYTES_OFFSET] === 0 ? 'an extended private key' : null;
  }
  if (WIF_BYTES.includes(payload.length)) return 'a private key (WIF)';
  const opening = payload.length === BIP38_BYTES ? new DataView(payload.buffer, payload.byteOffset).getUint16(0) : 0;
  return BIP38_OPENING.includes(opening) ? 'an encrypted private key' : null;
}

/** Counts words without a word list, to match phrases in any language or with misspelt words. */
function looksLikeMnemonic(text: string): boolean {
  const words = text
    .split(/[\s,;]+/)
    .map((word) => word.replace(WORD_NUMBERING, ''))
    .filter((word) => word !== '');
  return words.length >= MNEMONIC_MIN_WORDS && words.every((word) => WORD.test(word));
}
