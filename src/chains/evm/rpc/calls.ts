import type { RpcCall, RpcReply } from '../../rpc/rpc-call.ts';
import { toQuantity, unusable } from './read-response.ts';

export function call(method: string, ...params: unknown[]): RpcCall {
  return { method, params };
}

export function blockCall(height: number, isWhole: boolean): RpcCall {
  return call('eth_getBlockByNumber', toQuantity(height), isWhole);
}

export function orThrow(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw unusable(undefined, 'a response');
  if (!reply.ok) throw reply.error;
  return reply.result;
}
