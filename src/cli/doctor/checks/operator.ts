import { findMerchant } from '../../../merchants/index.ts';
import { type Check, ok, problem } from '../check.ts';
import { onServer } from './database.ts';

/** The merchant that receives payments for plans. */
export const OPERATOR_CHECKS: readonly Check[] = [
  {
    name: 'OPERATOR_MERCHANT',
    run: onServer(async (db, { config: { operatorMerchant: name } }) => {
      if (name === null) return [];
      if ((await findMerchant(db, name)) !== null) return ok(`"${name}" exists`);
      return problem(
        `there is no merchant "${name}": plans cannot be bought`,
        'Provision it, or use its exact name from the provisioning file.',
      );
    }),
  },
];
