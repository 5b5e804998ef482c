import { useQuery } from '@tanstack/react-query';
import type {
  KeyChangesBody,
  KeyList,
  NewKeyBody,
  RevokedKey,
  ShownKey,
} from '../../http/console/merchant/keys/schemas.ts';
import { read, useChange } from './queries.ts';
import { request } from './request.ts';
import { useSecretChange } from './secret-change.ts';

const KEYS = '/merchant/keys';
/** The overview shows keys in its first steps. */
const SHOW_KEYS = [KEYS, '/merchant/overview', '/merchant/audit'];

/** The API keys of the merchant, of both modes. */
export function useKeys() {
  return useQuery(read<KeyList>(KEYS));
}

export function useCreateKey(onSuccess: (made: ShownKey, body: NewKeyBody) => void) {
  return useSecretChange((body: NewKeyBody) => request<ShownKey>('POST', KEYS, body), SHOW_KEYS, onSuccess);
}

export function useRotateKey(id: string, onSuccess: (made: ShownKey) => void) {
  return useSecretChange(
    (overlapMs: number) => request<ShownKey>('POST', `${keyPath(id)}/rotate`, { overlapMs }),
    SHOW_KEYS,
    onSuccess,
  );
}

export function useRevokeKey(id: string) {
  return useChange(() => request<RevokedKey>('POST', `${keyPath(id)}/revoke`), SHOW_KEYS);
}

export function useChangeKey(id: string) {
  return useChange((changes: KeyChangesBody) => request('PATCH', keyPath(id), changes), SHOW_KEYS);
}

// Helpers

function keyPath(id: string): string {
  return `${KEYS}/${encodeURIComponent(id)}`;
}
