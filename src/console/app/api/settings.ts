import { useMutation, useQuery } from '@tanstack/react-query';
import type { SettingsChangeBody, SettingsInfo, SettingsValues } from '../../merchant/settings/schemas.ts';
import { changeDesk, deskKey, readDesk, refreshDesk } from './desk.ts';

/** The merchant's settings, which apply to both modes. */
export function useSettings() {
  return useQuery({
    queryKey: deskKey('settings'),
    queryFn: ({ signal }) => readDesk<SettingsInfo>('/settings', {}, signal),
  });
}

export function useChangeSettings() {
  return useMutation({
    mutationFn: (body: SettingsChangeBody) => changeDesk<SettingsValues>('PATCH', '/settings', body),
    // Also after an error: another user saved first, and the page must show their values.
    onSettled: () => refreshDesk('settings', 'audit'),
  });
}
