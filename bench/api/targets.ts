import type { Installation } from '../support/installation.ts';
import { createInstallation } from '../support/installation.ts';
import type { Target } from '../support/load.ts';
import { filledId, fillTransactions } from './fill.ts';

/** The service with one merchant who has `rows` live payments. */
export interface FilledInstallation extends Installation {
  readonly rows: number;
  readonly get: Target;
  /** One page of the newest. */
  readonly list: Target;
}

export const PAGE = { limit: 100, offset: 0 };

export async function createFilledInstallation(rows: number): Promise<FilledInstallation> {
  const installation = await createInstallation((db, merchantId) => fillTransactions(db, { merchantId, rows }));
  const common = installation.target('live');
  return {
    ...installation,
    rows,
    get: { ...common, next: () => ({ path: `/v1/transactions/${anyId(rows)}`, method: 'GET' }) },
    list: { ...common, next: () => ({ path: `/v1/transactions/list?limit=${PAGE.limit}`, method: 'GET' }) },
  };
}

export function anyId(rows: number): string {
  return filledId(1 + Math.floor(Math.random() * rows));
}
