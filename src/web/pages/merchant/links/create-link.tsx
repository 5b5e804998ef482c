import { useState } from 'react';
import type { LinkInfo, NewLinkBody } from '../../../../http/console/merchant/links/schemas.ts';
import { useCreateLink } from '../../../api/links.ts';
import { useMode } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { CheckField, SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { ImageField } from '../../../ui/forms/image-field.tsx';
import { amountError, CURRENCIES } from '../../../ui/values/amount-text.ts';
import { bodyOf, hasAmounts, type LinkDraft, NEW_DRAFT, timesOf } from './link-draft.ts';
import { LinkPreview } from './link-preview.tsx';

interface CreateLinkProps {
  /** Coins that can be paid with now. */
  readonly coins: readonly string[];
  close(): void;
  created(link: LinkInfo): void;
}

/** A form for a link, with a preview of what customers see. */
export function CreateLink({ coins, close, created }: CreateLinkProps) {
  const mode = useMode();
  const create = useCreateLink();
  const [draft, setDraft] = useState<LinkDraft>(NEW_DRAFT);
  const [hasTried, setHasTried] = useState(false);
  const set = (changes: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = () => {
    if (!hasAmounts(draft)) {
      setHasTried(true);
      return;
    }
    const body: NewLinkBody = { mode, ...bodyOf(draft) };
    create.mutate(body, {
      onSuccess: (link) => {
        toast('Your link is ready. Share it with your customers.');
        created(link);
      },
    });
  };
  return (
    <Form
      work={create}
      action="Create link"
      hint="Its terms cannot be changed later, since it may already be shared."
      submit={submit}
      close={close}
    >
      <div className="links-create">
        <div className="form">
          <TextField
            label="Title"
            required
            maxLength={100}
            placeholder="Invoice 1042"
            hint="What the customer pays for. Shown on the link’s page and included in webhooks."
            value={draft.title}
            onChange={(event) => set({ title: event.target.value })}
          />
          <TextField
            label="Description (optional)"
            maxLength={500}
            hint="Shown to customers below the price."
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
          <ImageField
            label="Image (optional)"
            hint="PNG, JPEG or WebP, at most 256 KB. Customers see it on the link’s page."
            image={draft.image}
            change={(image) => set({ image })}
          />
          <Price draft={draft} set={set} hasTried={hasTried} />
          <SelectField
            label="Number of payments"
            value={timesOf(draft)}
            onChange={(event) => set({ times: TIMES.find((each) => each === event.target.value) ?? 'once' })}
          >
            <option value="once">Once</option>
            <option value="any">Unlimited</option>
            <option value="some">Limited</option>
          </SelectField>
          {timesOf(draft) === 'some' ? (
            <TextField
              label="Maximum payments"
              type="number"
              min={1}
              step={1}
              required
              value={draft.maxUses}
              onChange={(event) => set({ maxUses: event.target.value })}
            />
          ) : null}
          <Coins coins={coins} draft={draft} set={set} />
          <More draft={draft} set={set} />
        </div>
        <LinkPreview draft={draft} coins={coins} />
      </div>
    </Form>
  );
}

// Helpers

const TIMES = ['once', 'any', 'some'] as const;

interface PartProps {
  readonly draft: LinkDraft;
  set(changes: Partial<LinkDraft>): void;
}

function Price({ draft, set, hasTried }: PartProps & { readonly hasTried: boolean }) {
  const { isFixed, amount, min, max, currency } = draft;
  // While an amount is typed, its text is incomplete.
  const errorOf = (typed: string) => (hasTried ? amountError(typed) : null);
  return (
    <>
      <SelectField
        label="Price"
        value={isFixed ? 'fixed' : 'open'}
        onChange={(event) => set({ isFixed: event.target.value === 'fixed' })}
      >
        <option value="fixed">A fixed price</option>
        <option value="open">The customer chooses the amount</option>
      </SelectField>
      <div className="links-choices">
        {isFixed ? (
          <TextField
            label="Amount"
            inputMode="decimal"
            placeholder="24.99"
            required
            value={amount}
            error={errorOf(amount)}
            onChange={(event) => set({ amount: event.target.value })}
          />
        ) : (
          <>
            <TextField
              label="At least (optional)"
              inputMode="decimal"
              value={min}
              error={errorOf(min)}
              onChange={(event) => set({ min: event.target.value })}
            />
            <TextField
              label="At most (optional)"
              inputMode="decimal"
              placeholder="1000000"
              value={max}
              error={errorOf(max)}
              onChange={(event) => set({ max: event.target.value })}
            />
          </>
        )}
        <SelectField label="Currency" value={currency} onChange={(event) => set({ currency: event.target.value })}>
          {CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
      </div>
    </>
  );
}

function Coins({ coins, draft: { cryptos }, set }: PartProps & { readonly coins: readonly string[] }) {
  if (coins.length === 0) {
    return <p className="notice">You accept no coins yet: add a wallet, or this link cannot be paid.</p>;
  }
  return (
    <fieldset className="links-coins">
      <legend className="field-label">Coins</legend>
      {coins.map((coin) => (
        <CheckField
          key={coin}
          label={coin}
          checked={cryptos.includes(coin)}
          onChange={(event) =>
            set({ cryptos: event.target.checked ? [...cryptos, coin] : cryptos.filter((each) => each !== coin) })
          }
        />
      ))}
      <p className="field-hint">None selected: all coins you accept, including ones you add later.</p>
    </fieldset>
  );
}

function More({ draft: { slug, successUrl, expires }, set }: PartProps) {
  return (
    <details className="links-more">
      <summary>More options: expiry, custom address, return page</summary>
      <div className="form">
        <TextField
          label="Expires (optional)"
          type="datetime-local"
          hint="In your time zone. After that, the link starts no payments."
          value={expires}
          onChange={(event) => set({ expires: event.target.value })}
        />
        <TextField
          label="Name in the address (optional)"
          placeholder="spring-sale"
          hint="Lower-case letters, digits and hyphens. Leave empty for an unguessable name."
          maxLength={64}
          spellCheck={false}
          value={slug}
          onChange={(event) => set({ slug: event.target.value })}
        />
        <TextField
          label="Return URL after payment (optional)"
          placeholder="https://shop.example/thanks"
          spellCheck={false}
          value={successUrl}
          onChange={(event) => set({ successUrl: event.target.value })}
        />
      </div>
    </details>
  );
}
