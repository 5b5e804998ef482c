import { PLAN_TIERS } from '../../plan-tiers.ts';
import { asOneOf, required } from '../options.ts';

/** Which plan a command is about. */
export const tier = required('TIER', `${PLAN_TIERS.join(', ')}.`, asOneOf(PLAN_TIERS));
