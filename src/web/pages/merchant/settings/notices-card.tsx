import type { SettingsValues } from '../../../../http/console/merchant/settings/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { CheckField, SelectField } from '../../../ui/forms/field.tsx';
import { CUSTOMER_NOTICES, LANGUAGE_NAMES, NOTICE_LABELS, type NoticeField, USER_NOTICES } from './notice-fields.ts';

type Language = SettingsValues['customerLanguage'];

interface NoticesProps {
  readonly values: Readonly<Record<NoticeField, boolean>> & { readonly customerLanguage: Language };
  errorOf(field: NoticeField | 'customerLanguage'): string | null;
  set(field: NoticeField, value: boolean): void;
  setLanguage(language: Language): void;
}

/** The switches of the email notices, and the notices that cannot be turned off. */
export function NoticesCard(props: NoticesProps) {
  const { values, errorOf, setLanguage } = props;
  return (
    <>
      <Card title="Email notifications">
        <p className="field-hint">
          Sent to all users of this account, about live payments and webhooks. Changes apply to all notices from now on.
        </p>
        <Switches {...props} fields={USER_NOTICES} />
        <CheckField label="A wallet, a key, a user or a login was changed" checked disabled />
        <p className="field-hint">
          The last one protects your account: it is sent to the owners and cannot be turned off.
        </p>
      </Card>
      <Card title="Emails to customers">
        <p className="field-hint">
          Sent in your name for live payments that have a customer email address. With receipts on, the payment page
          asks for one if you did not provide it.
        </p>
        <Switches {...props} fields={CUSTOMER_NOTICES} />
        <div className="form">
          <SelectField
            label="Language of emails to customers"
            value={values.customerLanguage}
            error={errorOf('customerLanguage')}
            onChange={({ target }) => setLanguage(target.value as Language)}
          >
            {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      </Card>
    </>
  );
}

// Helpers

function Switches({ values, errorOf, set, fields }: NoticesProps & { readonly fields: readonly NoticeField[] }) {
  return fields.map((field) => {
    const error = errorOf(field);
    return (
      <div key={field}>
        <CheckField
          label={NOTICE_LABELS[field]}
          checked={values[field]}
          onChange={(event) => set(field, event.target.checked)}
        />
        {error === null ? null : (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    );
  });
}
