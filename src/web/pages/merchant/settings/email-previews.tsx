import { useState } from 'react';
import type { EmailKind, MailPreview, SettingsValues } from '../../../../http/console/merchant/settings/schemas.ts';
import { useEmailPreview } from '../../../api/settings.ts';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { EMAIL_LABELS, hasLanguages, MAIL_GROUPS } from './email-labels.ts';
import { LANGUAGE_NAMES } from './notice-fields.ts';

type Language = SettingsValues['customerLanguage'];

/** Shows each email that is sent, with sample data. */
export function EmailPreviews({ language }: { readonly language: Language }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Email previews">
      <p className="soft">Preview each email with sample payments.</p>
      <div className="button-row">
        <Button onClick={() => setOpen(true)}>Preview emails</Button>
      </div>
      <Dialog title="Email previews" isOpen={isOpen} isWide close={() => setOpen(false)}>
        <Preview customerLanguage={language} />
      </Dialog>
    </Card>
  );
}

// Helpers

function Preview({ customerLanguage }: { readonly customerLanguage: Language }) {
  const [kind, setKind] = useState<EmailKind>('first_payment');
  const [language, setLanguage] = useState(customerLanguage);
  const preview = useEmailPreview(kind, language);
  return (
    <>
      <SelectField label="Email" value={kind} onChange={({ target }) => setKind(target.value as EmailKind)}>
        {MAIL_GROUPS.map(([to, kinds]) => (
          <optgroup key={to} label={to}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {EMAIL_LABELS[each]}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {hasLanguages(kind) ? (
        <SelectField label="Language" value={language} onChange={({ target }) => setLanguage(target.value as Language)}>
          {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : null}
      <Await query={preview} label="Loading the email" lines={8}>
        {(email) => <Email email={email} />}
      </Await>
    </>
  );
}

/** Nothing in the frame can run, open a window or leave the frame. */
function Email({ email: { subject, text, html } }: { readonly email: MailPreview }) {
  return (
    <>
      <h3 className="mail-subject">{subject}</h3>
      <iframe className="mail-frame" title="The email" sandbox="" srcDoc={withInertLinks(html)} />
      <details>
        <summary>Plain text</summary>
        <pre className="mail-text">{text}</pre>
      </details>
    </>
  );
}

/** Links open a new window, which the sandbox blocks: otherwise they would replace the email. */
function withInertLinks(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">');
}
