import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  EmailKind,
  MailPreview,
  SettingsChangeBody,
  SettingsInfo,
  SettingsValues,
} from '../../http/console/merchant/settings/schemas.ts';
import { read, useChange } from './queries.ts';
import { request } from './request.ts';

/** The merchant's settings, which apply to both modes. */
export function useSettings() {
  return useQuery(read<SettingsInfo>('/merchant/settings'));
}

/** An email with sample data; the previous one stays while another is fetched. */
export function useEmailPreview(kind: EmailKind, language: SettingsValues['customerLanguage']) {
  return useQuery({
    ...read<MailPreview>('/merchant/settings/mail', { kind, language }),
    placeholderData: keepPreviousData,
  });
}

export function useChangeSettings() {
  return useChange(
    (body: SettingsChangeBody) => request<SettingsValues>('PATCH', '/merchant/settings', body),
    // The overview shows in its first steps whether there is a support contact.
    ['/merchant/settings', '/merchant/overview', '/merchant/audit'],
  );
}
