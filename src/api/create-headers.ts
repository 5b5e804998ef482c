import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { TerminalError } from '../errors.ts';
import { callerOf } from './plugins/authenticate.ts';
import type { CreateHeaders } from './ports.ts';

/**
 * The headers of a create request. Node.js gives header names in lower case,
 * however they are written.
 */
export function createHeadersOf(request: FastifyRequest): CreateHeaders {
  return {
    idempotencyKey: textOf(request, 'x-idempotency-key'),
    clientAddress: customerAddressOf(request) ?? (callerOf(request).oneOpenPaymentPerIp ? request.ip : null),
  };
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
