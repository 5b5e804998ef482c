import type { FastifyRequest } from 'fastify';
import { TerminalError } from '../../errors.ts';
import type { Mode } from '../contract/desk.ts';
import { oneOf } from '../reading.ts';
import { signedInOf } from '../session/index.ts';

/** Somebody who works for a merchant, signed in. What they may see and change is theirs alone. */
export interface Member {
  readonly userId: string;
  readonly merchantId: string;
  readonly role: 'owner' | 'staff';
  /** Where the request comes from. */
  readonly address: string;
}

/** Who sends a request. Throws `FORBIDDEN` for those who belong to no merchant. */
export function memberOf(request: FastifyRequest): Member {
  const { userId, role, merchant } = signedInOf(request);
  if (merchant !== null && (role === 'owner' || role === 'staff')) {
    return { userId, merchantId: merchant.id, role, address: request.ip };
  }
  throw new TerminalError('FORBIDDEN', 'This is for owners and staff of a merchant; sign in as one of them');
}

/** Reads `mode` of a query or body. */
export const mode = oneOf<Mode>(['live', 'test']);
