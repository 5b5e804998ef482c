import { useMutation, useQuery } from '@tanstack/react-query';
import type { SettingsChangeBody, SettingsInfo, SettingsValues } from '../../contract/settings.ts';
import { changeDesk, deskKey, readDesk, refreshDesk } from './desk.ts';

/** What the merchant has set about itself; the same in both modes. */
export function useSettings() {
  return useQuery({
    queryKey: deskKey('settings'),
    queryFn: ({ signal }) => readDesk<SettingsInfo>('/settings', {}, signal),
  });
}

export function useChangeSettings() {
  return useMutation({
    mutationFn: (body: SettingsChangeBody) => changeDesk<SettingsValues>('PATCH', '/settings', body),
    // Also after a refusal: somebody else was faster, and what they set belongs on the page.
    onSettled: () => refreshDesk('settings', 'audit'),
  });
}
