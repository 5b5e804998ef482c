import type { ReactNode } from 'react';
import { BrandSign } from './brand.tsx';
import { useTitle } from './page.tsx';

/** The frame of pages that need no sign-in. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <main className="door" tabIndex={-1}>
      <span className="brand">
        <BrandSign />
        Quittance
      </span>
      <div className="door-card">{children}</div>
    </main>
  );
}
