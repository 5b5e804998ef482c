import { useEffect } from 'react';

/** Names the page in the tab of the browser and in its history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Quittance' ? title : `${title} · Quittance`;
  }, [title]);
}
