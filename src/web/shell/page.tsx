import type { ReactNode } from 'react';
import { useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** Shown instead of the title when it contains more than text. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page within the shell. */
export function Page({ title, heading, actions, about, children }: PageProps) {
  useTitle(title);
  return (
    <>
      <div className="page-head">
        <div className="page-title">{heading ?? <h1>{title}</h1>}</div>
        {actions === undefined ? null : <div className="button-row">{actions}</div>}
      </div>
      {about === undefined ? null : <p className="page-about">{about}</p>}
      {children}
    </>
  );
}

/** Sets the title of the browser tab and the history entry. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Quittance' ? title : `${title} · Quittance`;
  }, [title]);
}
