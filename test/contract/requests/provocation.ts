import type { ApiResponse } from '../../support/service/app.ts';
import { type ContractHarness, type RequestParts, sendRequest } from '../harness.ts';
import type { EndpointName } from '../tables/endpoints.ts';

/** A request that provokes a certain response of an endpoint. */
export interface Provocation {
  /** Null: an address that is no endpoint. */
  readonly endpoint: EndpointName | null;
  readonly status: number;
  /** The error code, for failures. */
  readonly code: string | null;
  readonly what: string;
  readonly send: (harness: ContractHarness) => Promise<ApiResponse<unknown>>;
  /** Headers of this response only. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the provocations of one endpoint: success, and failures with their code. */
export function provocationsOf(endpoint: EndpointName) {
  return {
    responds: (status: number, what: string, send: Provocation['send']): Provocation => {
      return { endpoint, status, code: null, what, send };
    },
    fails: (status: number, code: string, what: string, send: Provocation['send']): Provocation => {
      return { endpoint, status, code, what, send };
    },
  };
}

/** The response to a new merchant's test key. */
export function withTestKey(endpoint: EndpointName, parts: RequestParts = {}): Provocation['send'] {
  return async ({ app, newMerchant }) =>
    sendRequest(app, endpoint, { key: (await newMerchant()).keys.sk_test, ...parts });
}

/** Sends the request twice and returns the second response. */
export async function twice<T>(send: () => Promise<T>): Promise<T> {
  await send();
  return send();
}
