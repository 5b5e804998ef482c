import { useState } from 'react';
import { toast } from '../state/toasts.ts';
import { CopyIcon, TickIcon } from './icons.tsx';

const SHOWN_AS_COPIED_MS = 1_500;

export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), SHOWN_AS_COPIED_MS);
    } catch {
      toast('This browser does not allow copying. Select the text instead.', 'bad');
    }
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={isCopied ? 'Copied' : `Copy ${label}`}
      onClick={() => void copy()}
    >
      {isCopied ? <TickIcon /> : <CopyIcon />}
    </button>
  );
}
