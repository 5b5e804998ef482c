import { type FormEvent, useState } from 'react';
import type { SettingsInfo } from '../../../../http/console/merchant/settings/schemas.ts';
import { useChangeSettings } from '../../../api/settings.ts';
import { toast } from '../../../state/toasts.ts';
import { Card } from '../../../ui/card.tsx';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { BrandCard } from './brand-card.tsx';
import { changeOf, type Draft, type FieldTexts, hasMoved, problemsOf, shownTexts, textsOf } from './draft.ts';
import { confirmationsExample, lagExample, toleranceExample, windowExample } from './examples.ts';
import { LANGUAGE_NAMES } from './notice-fields.ts';
import { NoticesCard } from './notices-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { WindowField } from './window-field.tsx';

/**
 * The settings form for owners. Values that another user saves appear next to the typed ones, and
 * nothing is lost.
 */
export function SettingsForm({ info }: { readonly info: SettingsInfo }) {
  const change = useChangeSettings();
  const [draft, setDraft] = useState<Draft>({});
  const saved = textsOf(info.values);
  const texts = shownTexts(draft, saved);
  const problems = problemsOf(texts, info.limits);
  const hasProblems = Object.keys(problems).length > 0;
  const body = hasProblems ? null : changeOf(texts, info);
  const isChanged = Object.keys(draft).length > 0 && (hasProblems || body !== null);

  const set = <Field extends keyof FieldTexts>(field: Field, value: FieldTexts[Field]) =>
    setDraft((before) => ({ ...before, [field]: { value, from: before[field]?.from ?? saved[field] } }));
  const errorOf = (field: keyof FieldTexts): string | null => {
    if (problems[field] !== undefined) return problems[field];
    if (!hasMoved(draft, saved, field)) return null;
    return `Another user changed this to ${shownValue(field, saved)} in the meantime. Saving overwrites it.`;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body === null) return;
    change.mutate(body, {
      onSuccess: () => {
        setDraft({});
        toast('Saved. Applies to payments created from now on.');
      },
    });
  };

  return (
    <form className="form settings-form" onSubmit={submit}>
      <Card title="When a payment is complete">
        <div className="form">
          <TextField
            label="Underpayment tolerance, in percent"
            inputMode="decimal"
            autoComplete="off"
            value={texts.tolerance}
            error={errorOf('tolerance')}
            hint={toleranceExample(texts.tolerance, info.limits)}
            onChange={(event) => set('tolerance', event.target.value)}
          />
          <TextField
            label="Minimum confirmations"
            inputMode="numeric"
            autoComplete="off"
            value={texts.confirmations}
            error={errorOf('confirmations')}
            hint={confirmationsExample(texts.confirmations)}
            onChange={(event) => set('confirmations', event.target.value)}
          />
        </div>
      </Card>
      <Card title="Payment window">
        <WindowField
          info={info}
          value={texts.window}
          error={errorOf('window')}
          hint={windowExample(texts.window)}
          set={(value) => set('window', value)}
        />
      </Card>
      <Card title="When a network cannot be watched">
        <CheckField
          label="Reject new payments while their network cannot be watched"
          checked={texts.rejects}
          onChange={(event) => set('rejects', event.target.checked)}
        />
        <p className="field-hint">{lagExample(texts.rejects)}</p>
        {errorOf('rejects') === null ? null : (
          <p className="field-error" role="alert">
            {errorOf('rejects')}
          </p>
        )}
      </Card>
      <BrandCard coins={info.coins} values={texts} errorOf={errorOf} set={set} />
      <Card title="Contact">
        <TextField
          label="Contact email"
          type="email"
          autoComplete="email"
          value={texts.email}
          error={errorOf('email')}
          hint="How the operator of this service reaches you. It is not a login, and customers do not see it."
          onChange={(event) => set('email', event.target.value)}
        />
      </Card>
      <NoticesCard values={texts} errorOf={errorOf} set={set} setLanguage={(value) => set('customerLanguage', value)} />
      {isChanged ? (
        <SaveBar
          canSave={body !== null}
          isSaving={change.isPending}
          error={change.error}
          discard={() => {
            setDraft({});
            change.reset();
          }}
        />
      ) : null}
    </form>
  );
}

// Helpers

/** The saved value of a field in words. */
function shownValue(field: keyof FieldTexts, saved: FieldTexts): string {
  switch (field) {
    case 'tolerance':
      return `${saved.tolerance} %`;
    case 'window':
      return saved.window === '' ? 'the default of each coin' : `${saved.window} minutes`;
    case 'confirmations':
      return saved.confirmations;
    case 'rejects':
      return saved.rejects ? 'yes' : 'no';
    case 'email':
      return saved.email;
    case 'logo':
      return saved.logo === '' ? 'no logo' : 'another logo';
    case 'colour':
      return saved.colour === '' ? 'the colour of this service' : saved.colour;
    case 'support':
      return saved.support === '' ? 'no contact' : saved.support;
    case 'recommended':
      return saved.recommended === '' ? 'no coin' : saved.recommended;
    case 'customerLanguage':
      return LANGUAGE_NAMES[saved.customerLanguage];
    case 'mailFirstPayment':
    case 'mailLatePayment':
    case 'mailNeedsAttention':
    case 'mailUnassignedCoins':
    case 'mailFailingWebhook':
    case 'mailDailySummary':
    case 'mailCustomerReceipt':
    case 'mailCustomerLate':
      return saved[field] ? 'yes' : 'no';
  }
}
