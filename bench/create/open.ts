import { createInstallation, type Installation } from '../support/installation.ts';
import type { Target } from '../support/load.ts';

export interface CreateBench extends Installation {
  readonly create: Target;
}

export const ORDER = JSON.stringify({ crypto: 'LTC', amount: 25.5, metadata: { cart: 'bench' } });

/**
 * The service and its creates, on the simulated network: a live create does the same work, but
 * needs a node.
 */
export async function openCreateBench(): Promise<CreateBench> {
  const installation = await createInstallation();
  const next = () => ({ path: '/v1/transactions/create', method: 'POST', body: ORDER }) as const;
  return { ...installation, create: { ...installation.target('test'), status: 201, next } };
}
