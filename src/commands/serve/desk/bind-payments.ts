import type { PaymentsDesk } from '../../../console/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { exportPayments, searchPayments } from '../../../payments/index.ts';
import type { DeskDeps } from './deps.ts';

/** A merchant's list of payments. */
export function bindPayments({ create, clock }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): PaymentsDesk {
  const { db } = create;
  return {
    list: (scope, request) => watch(() => searchPayments({ db }, scope, request)),
    async *export(scope, search) {
      const batches = exportPayments({ db }, scope, { search });
      try {
        for (
          let next = await watch(() => batches.next());
          next.done !== true;
          next = await watch(() => batches.next())
        ) {
          yield next.value;
        }
      } finally {
        await batches.return(undefined);
      }
    },
    today: () => new Date(clock.now()).toISOString().slice(0, DAY_CHARACTERS),
  };
}

// Helpers

const DAY_CHARACTERS = '2026-11-22'.length;
