import { useState } from 'react';
import { Snippet as SnippetText } from '../../../ui/snippet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { Snippet } from './snippets.ts';

interface SnippetTabsProps {
  /** What the code does. */
  readonly label: string;
  readonly snippets: readonly Snippet[];
}

/** The same code in several languages, to copy. */
export function SnippetTabs({ label, snippets }: SnippetTabsProps) {
  const [shown, setShown] = useState<string>(snippets[0]?.id ?? '');
  return (
    <Tabs
      label={label}
      shown={shown}
      show={setShown}
      tabs={snippets.map(({ id, label: name, code }) => ({
        id,
        label: name,
        content: <SnippetText label={`${label}, ${name}`}>{code}</SnippetText>,
      }))}
    />
  );
}
