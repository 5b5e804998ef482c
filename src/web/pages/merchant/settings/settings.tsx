import '../../../styles/settings.css';
import type { SettingsInfo } from '../../../../http/console/merchant/settings/schemas.ts';
import { useSettings } from '../../../api/settings.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { imageUrlOf } from '../links/link-labels.ts';
import { EmailPreviews } from './email-previews.tsx';
import { ownWindowsText } from './examples.ts';
import { CUSTOMER_NOTICES, LANGUAGE_NAMES, NOTICE_LABELS, type NoticeField, USER_NOTICES } from './notice-fields.ts';
import { percentText } from './percent.ts';
import { SettingsForm } from './settings-form.tsx';

/** The merchant's settings: owners change them, staff can read them. */
export function SettingsPage({ isOwner }: { readonly isOwner: boolean }) {
  const settings = useSettings();
  return (
    <Page
      title="Settings"
      about="Changes apply to payments created from now on. Open payments keep the terms they were created with."
    >
      <Await query={settings} label="Loading your settings" lines={10}>
        {(info) => (
          <div className="settings">
            {isOwner ? <SettingsForm info={info} /> : <Values info={info} />}
            <div className="settings-aside">
              <Identity info={info} />
              <EmailPreviews language={info.values.customerLanguage} />
            </div>
          </div>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function Values({ info }: { readonly info: SettingsInfo }) {
  const { values, ownWindows } = info;
  return (
    <Card title="Current values">
      <DetailList
        items={[
          ['Underpayment tolerance', `${percentText(values.toleranceBasisPoints)} %`],
          ['Minimum confirmations', values.minConfirmations.toLocaleString('en')],
          [
            'Payment window',
            values.windowMinutes === null
              ? ownWindowsText(ownWindows)
              : `${values.windowMinutes} minutes for all coins`,
          ],
          ['Payments while a network cannot be watched', values.refuseWhenNetworkLags ? 'refused' : 'accepted'],
          [
            'Logo',
            values.logo === null ? (
              'none'
            ) : (
              <img key="logo" className="settings-logo" src={imageUrlOf(values.logo)} alt={`Logo of ${info.name}`} />
            ),
          ],
          ['Colour', values.brandColour ?? 'of this service'],
          ['Support contact', values.supportContact ?? 'none'],
          ['Recommended coin', values.recommendedCrypto ?? 'none'],
          ['Contact email', values.contactEmail],
          ['Email notifications', noticesText(values, USER_NOTICES) || 'account security only'],
          ['Emails to customers', noticesText(values, CUSTOMER_NOTICES) || 'none'],
          ['Language of emails to customers', LANGUAGE_NAMES[values.customerLanguage]],
        ]}
      />
      <p className="soft">Only owners of this account can change it.</p>
    </Card>
  );
}

/** `A payment arrived late; …`, the notices that are on; empty for none. */
function noticesText(values: SettingsInfo['values'], fields: readonly NoticeField[]): string {
  const labels = fields.filter((field) => values[field]).map((field) => NOTICE_LABELS[field]);
  return labels.join('; ');
}

function Identity({ info: { name, merchantId } }: { readonly info: SettingsInfo }) {
  return (
    <Card title="Your account">
      <DetailList
        items={[
          ['Name', name],
          [
            'Id',
            <span key="id" className="mono wrap">
              {merchantId} <Copy text={merchantId} label="the id" />
            </span>,
          ],
        ]}
      />
      <p className="soft">
        Customers see the name. You cannot change it, since the operator of this service identifies your account by it.
        If it is wrong, contact the operator.
      </p>
    </Card>
  );
}
