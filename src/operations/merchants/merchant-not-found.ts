import { TerminalError } from '../../errors.ts';

export function merchantNotFound(merchantId: string): TerminalError {
  return new TerminalError('MERCHANT_NOT_FOUND', `There is no merchant ${merchantId}; ids begin with mer_`);
}
