import { PLAN_TIERS } from '../../plan-tiers.ts';
import { asOneOf, required } from '../options.ts';

/** The TIER operand. */
export const tier = required('TIER', `${PLAN_TIERS.join(', ')}.`, asOneOf(PLAN_TIERS));
