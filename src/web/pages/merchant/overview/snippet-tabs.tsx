import { useState } from 'react';
import { Snippet } from '../../../ui/snippet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { CodeSnippet } from './snippets.ts';

interface SnippetTabsProps {
  readonly label: string;
  readonly snippets: readonly CodeSnippet[];
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
        content: <Snippet label={`${label}, ${name}`}>{code}</Snippet>,
      }))}
    />
  );
}
