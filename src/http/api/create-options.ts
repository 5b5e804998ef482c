import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { ClientHash, CreateSpecials } from '../../payments/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { callerOf } from './plugins/authenticate.ts';

export interface CreateOptionDeps {
  readonly clientHash: ClientHash;
}

/** What the headers of a create request say. */
export interface CreateOptions {
  readonly idempotencyKey: string | null;
  /** Names the customer when they may have only one open payment. */
  readonly specials: CreateSpecials;
}

/** Node.js gives header names in lower case, however they are written. */
export function createOptionsOf(request: FastifyRequest, { clientHash }: CreateOptionDeps): CreateOptions {
  const caller = callerOf(request);
  const idempotencyKey = textOf(request, 'x-idempotency-key');
  const address = customerAddressOf(request) ?? (caller.oneOpenPaymentPerIp ? request.ip : null);
  return { idempotencyKey, specials: address === null ? {} : { clientHash: clientHash(caller, address) } };
}

// Helpers

function customerAddressOf(request: FastifyRequest): string | null {
  const address = textOf(request, 'x-customer-ip');
  if (address === null) return null;
  // A zone identifies an interface of one machine, not a customer.
  if (isIP(address) !== 0 && !address.includes('%')) return address;
  throw new TerminalError('INVALID_REQUEST', 'X-Customer-IP must be one IPv4 or IPv6 address', {
    field: 'X-Customer-IP',
  });
}

function textOf({ headers }: FastifyRequest, name: string): string | null {
  const text = headers[name];
  return typeof text === 'string' ? text : null;
}
