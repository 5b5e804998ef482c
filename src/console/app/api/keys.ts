import { useMutation, useQuery } from '@tanstack/react-query';
import type { KeyChangesBody, KeyList, NewKeyBody, RevokedKey, ShownKey } from '../../contract/keys.ts';
import { changeDesk, deskKey, readDesk, refreshDesk } from './desk.ts';

/** The API keys of the merchant, of both modes. */
export function useKeys() {
  return useQuery({
    queryKey: deskKey('keys'),
    queryFn: ({ signal }) => readDesk<KeyList>('/keys', {}, signal),
  });
}

/** `show` is given the key even when the form that asked for it was closed meanwhile: nobody can ask for it again. */
export function useCreateKey(show: (made: ShownKey, wanted: NewKeyBody) => void) {
  return useMutation({
    mutationFn: (body: NewKeyBody) => changeDesk<ShownKey>('POST', '/keys', body),
    // What was answered is a secret: it must not stay behind in the page.
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshAfterKeys(),
  });
}

/** `show` as for a key that is created. */
export function useRotateKey(id: string, show: (made: ShownKey) => void) {
  return useMutation({
    mutationFn: (overlapMs: number) => changeDesk<ShownKey>('POST', `${pathOf(id)}/rotate`, { overlapMs }),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshAfterKeys(),
  });
}

export function useRevokeKey(id: string) {
  return useMutation({
    mutationFn: () => changeDesk<RevokedKey>('POST', `${pathOf(id)}/revoke`),
    onSettled: () => refreshAfterKeys(),
  });
}

export function useChangeKey(id: string) {
  return useMutation({
    mutationFn: (changes: KeyChangesBody) => changeDesk<{ id: string }>('PATCH', pathOf(id), changes),
    onSettled: () => refreshAfterKeys(),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/keys/${encodeURIComponent(id)}`;
}

/** The first steps of the overview, and the audit, tell of keys too. */
function refreshAfterKeys(): Promise<unknown> {
  return refreshDesk('keys', 'overview', 'audit');
}
