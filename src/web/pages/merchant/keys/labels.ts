import type { KeyInfo, KeyKind } from '../../../../http/console/merchant/keys/schemas.ts';

export const KIND_WORDS: Readonly<Record<KeyKind, string>> = { secret: 'Secret', publishable: 'Publishable' };

/** What each kind of key is for, for a first-time user. */
export const KIND_MEANINGS: Readonly<Record<KeyKind, string>> = {
  secret: 'For your server. It can create payments and read all of them, so keep it secret.',
  publishable: 'For your web page. It may be public: it can only send a customer to the payment page (GET /pay).',
};

/** The key's prefix and its last four characters. */
export function hintOf({ kind, mode, hint }: Pick<KeyInfo, 'kind' | 'mode' | 'hint'>): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_…${hint}`;
}

/** The key's name in a sentence. */
export function nameOf(key: KeyInfo): string {
  return key.name === '' ? hintOf(key) : `“${key.name}” (${hintOf(key)})`;
}
