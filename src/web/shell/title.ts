import { useEffect } from 'react';

/** Sets the title of the browser tab and the history entry. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Quittance' ? title : `${title} · Quittance`;
  }, [title]);
}
