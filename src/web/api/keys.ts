import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  KeyChangesBody,
  KeyList,
  NewKeyBody,
  RevokedKey,
  ShownKey,
} from '../../http/console/merchant/keys/schemas.ts';
import { changeMerchantData, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

/** The API keys of the merchant, of both modes. */
export function useKeys() {
  return useQuery({
    queryKey: merchantKey('keys'),
    queryFn: ({ signal }) => readMerchantData<KeyList>('/keys', {}, signal),
  });
}

/**
 * `show` receives the key even if the form was closed before the response: it cannot be fetched
 * again.
 */
export function useCreateKey(show: (made: ShownKey, body: NewKeyBody) => void) {
  return useMutation({
    mutationFn: (body: NewKeyBody) => changeMerchantData<ShownKey>('POST', '/keys', body),
    // The response contains a secret, which must not stay in the cache.
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshAfterKeys(),
  });
}

/** `show` works as for a new key. */
export function useRotateKey(id: string, show: (made: ShownKey) => void) {
  return useMutation({
    mutationFn: (overlapMs: number) => changeMerchantData<ShownKey>('POST', `${pathOf(id)}/rotate`, { overlapMs }),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshAfterKeys(),
  });
}

export function useRevokeKey(id: string) {
  return useMutation({
    mutationFn: () => changeMerchantData<RevokedKey>('POST', `${pathOf(id)}/revoke`),
    onSettled: () => refreshAfterKeys(),
  });
}

export function useChangeKey(id: string) {
  return useMutation({
    mutationFn: (changes: KeyChangesBody) => changeMerchantData<{ id: string }>('PATCH', pathOf(id), changes),
    onSettled: () => refreshAfterKeys(),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/keys/${encodeURIComponent(id)}`;
}

/** Includes the first steps on the overview, and the audit log, which also show keys. */
function refreshAfterKeys(): Promise<unknown> {
  return refreshMerchantData('keys', 'overview', 'audit');
}
