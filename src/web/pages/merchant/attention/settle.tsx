import { useState } from 'react';
import type { AttentionItemInfo } from '../../../../http/console/merchant/attention/schemas.ts';
import { useSettleAttention } from '../../../api/attention.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { AreaField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { KIND_WORDS, NOT_CONFIRMED } from './labels.ts';

/** The server's limit for a note. */
const MAX_NOTE_CHARACTERS = 500;

interface SettleDialogProps {
  /** Null: the dialog is closed. */
  readonly item: AttentionItemInfo | null;
  close(): void;
}

/**
 * Marks an item as settled outside of the console, with a note that says how. Belongs to the page
 * and not to the item: that disappears when another user settles it first, and the dialog must then
 * show the error.
 */
export function SettleDialog({ item, close }: SettleDialogProps) {
  const title = item === null ? '' : `Mark as settled: ${KIND_WORDS[item.kind].title.toLowerCase()}`;
  return (
    <Dialog title={title} isOpen={item !== null} close={close}>
      {item === null ? null : <SettleForm item={item} done={close} />}
    </Dialog>
  );
}

export function NotConfirmed() {
  return <p className="notice">{NOT_CONFIRMED}</p>;
}

// Helpers

function SettleForm({ item, done }: { readonly item: AttentionItemInfo; done(): void }) {
  const settle = useSettleAttention(item);
  const [note, setNote] = useState('');
  const words = KIND_WORDS[item.kind];
  const submit = () => settle.mutate(note.trim(), toastAndClose('Settled.', done));
  return (
    <Form work={settle} action="Mark as settled" isDisabled={note.trim() === ''} submit={submit} close={done}>
      <p>{words.what(item)}</p>
      {item.isConfirmed ? null : <NotConfirmed />}
      <p className="soft">
        This removes it from the list and moves no coins: only you can send coins from your wallet. If more coins
        arrive, it reopens.{item.kind === 'underpaid' ? ' These coins no longer count towards this payment.' : ''}
      </p>
      <AreaField
        label="What was done?"
        hint="Required. Recorded with your name."
        placeholder={words.note}
        required
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Form>
  );
}
