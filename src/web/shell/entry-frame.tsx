import type { ReactNode } from 'react';
import { BrandSign } from './brand.tsx';
import { useTitle } from './page.tsx';

/** The frame of pages that need no sign-in. */
export function EntryFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <main className="entry" tabIndex={-1}>
      <span className="brand">
        <BrandSign />
        Quittance
      </span>
      <div className="entry-card">{children}</div>
    </main>
  );
}
