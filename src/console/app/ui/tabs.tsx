import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Id of the visible panel. */
  readonly shown: string;
  show(id: string): void;
}

/** Tabs. The visible one belongs in the URL, so the caller controls it. */
export function Tabs({ label, tabs, shown, show }: TabsProps) {
  const current = tabs.some((tab) => tab.id === shown) ? shown : tabs[0]?.id;
  return (
    <Base.Root value={current} onValueChange={(id) => show(String(id))} className="tabs">
      <Base.List className="tab-list" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.id} value={tab.id} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="tab-panel">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
