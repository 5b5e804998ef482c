import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type {
  MailKind,
  MailPreview,
  SettingsChangeBody,
  SettingsInfo,
  SettingsValues,
} from '../../http/console/merchant/settings/schemas.ts';
import { changeMerchantData, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

/** The merchant's settings, which apply to both modes. */
export function useSettings() {
  return useQuery({
    queryKey: merchantKey('settings'),
    queryFn: ({ signal }) => readMerchantData<SettingsInfo>('/settings', {}, signal),
  });
}

/** A mail with sample data; the previous one stays while another is fetched. */
export function useMailPreview(kind: MailKind, language: SettingsValues['customerLanguage']) {
  return useQuery({
    queryKey: merchantKey('settings', 'mail', kind, language),
    queryFn: ({ signal }) => readMerchantData<MailPreview>('/settings/mail', { kind, language }, signal),
    placeholderData: keepPreviousData,
  });
}

export function useChangeSettings() {
  return useMutation({
    mutationFn: (body: SettingsChangeBody) => changeMerchantData<SettingsValues>('PATCH', '/settings', body),
    // Also after an error: another user saved first, and the page must show their values.
    onSettled: () => refreshMerchantData('settings', 'audit'),
  });
}
