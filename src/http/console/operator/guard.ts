import type { FastifyRequest } from 'fastify';
import type { Operator } from '../../../operations/index.ts';
import { requireReauth, requireRole, signedInOf } from '../session/guard.ts';

/**
 * Hooks of the operator routes: observers may read, operators may also change data. `decide` also
 * needs a recently entered password: for what decides payments of any merchant, hides a problem,
 * or changes what merchants may do.
 */
export const guard = {
  read: requireRole('operator', 'observer'),
  write: requireRole('operator'),
  decide: requireReauth('operator'),
} as const;

/** The operator who sent a request that passed `guard.write`. */
export function operatorOf(request: FastifyRequest): Operator {
  return { userId: signedInOf(request).userId };
}
