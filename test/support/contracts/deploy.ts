import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, isHex } from 'viem';
import artifacts from '../../../generated/test-contracts.json' with { type: 'json' };
import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../machines/index.ts';
import type { Anvil } from '../nodes/anvil.ts';

export type ContractName = keyof typeof artifacts;
/** Kinds of tokens whose constructor takes decimals and supply. */
export type TokenKind = 'StandardToken' | 'SilentToken' | 'FeeToken' | 'SeizableToken';

/** A contract on an anvil node. */
export interface DeployedContract {
  /** In lower case. */
  readonly address: string;
  /** Encodes the data of a call, for `anvil.transact`. */
  encode(functionName: string, ...args: readonly unknown[]): string;
  /**
   * Sends a call, by default from the deployer (the first account); returns the transaction's id.
   */
  send(functionName: string, args: readonly unknown[], options?: CallOptions): Promise<string>;
  /** Calls without a transaction (`eth_call`). */
  read(functionName: string, ...args: readonly unknown[]): Promise<unknown>;
}

export interface CallOptions {
  readonly from?: string;
  readonly valueWei?: bigint;
}

/** A token whose whole supply is held by the node's first account. */
export interface DeployedToken extends DeployedContract {
  readonly decimals: number;
  transfer(to: string, baseUnits: bigint, from?: string): Promise<string>;
  balanceOf(address: string): Promise<bigint>;
}

/** Enough for every test, and far below 2^256. */
const SUPPLY_BASE_UNITS = 10n ** 36n;

/** Deploys a contract; without automine it mines a block for it. */
export async function deployContract(
  anvil: Anvil,
  name: ContractName,
  args: readonly unknown[] = [],
): Promise<DeployedContract> {
  const { bytecode } = artifacts[name];
  const abi = artifacts[name].abi as Abi;
  if (!isHex(bytecode)) throw new Error(`the artifact of ${name} is damaged: run npm run contracts`);
  const txid = await anvil.transact({ data: encodeDeployData({ abi, bytecode, args }) });
  const address = await minedAddress(anvil, txid);

  const encode = (functionName: string, ...callArgs: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args: callArgs });
  return {
    address,
    encode,
    send: (functionName, callArgs, options = {}) =>
      anvil.transact({ to: address, data: encode(functionName, ...callArgs), ...options }),
    async read(functionName, ...callArgs) {
      const data = await anvil.rpc('eth_call', [{ to: address, data: encode(functionName, ...callArgs) }, 'latest']);
      if (!isHex(data)) throw new Error(`${name}.${functionName} answered ${String(data)}`);
      return decodeFunctionResult({ abi, functionName, args: callArgs, data });
    },
  };
}

export async function deployToken(
  anvil: Anvil,
  { kind = 'StandardToken', decimals }: { readonly kind?: TokenKind; readonly decimals: number },
): Promise<DeployedToken> {
  const contract = await deployContract(anvil, kind, [decimals, SUPPLY_BASE_UNITS]);
  return {
    ...contract,
    decimals,
    transfer: (to, baseUnits, from) => contract.send('transfer', [to, baseUnits], from === undefined ? {} : { from }),
    balanceOf: async (address) => BigInt(String(await contract.read('balanceOf', address))),
  };
}

/** One token per token symbol, with its real decimals; USDT's transfers return no value. */
export async function deployAllTokens(anvil: Anvil): Promise<AllTokens> {
  const tokens: Partial<Record<CryptoSymbol, DeployedToken>> = {};
  const overrides: Partial<Record<CryptoSymbol, string>> = {};
  for (const symbol of CRYPTO_SYMBOLS) {
    if (ASSETS[symbol].type !== 'token') continue;
    const kind = symbol === 'USDT' ? 'SilentToken' : 'StandardToken';
    const token = await deployToken(anvil, { kind, decimals: ASSETS[symbol].decimals });
    tokens[symbol] = token;
    overrides[symbol] = token.address;
  }
  return {
    overrides,
    token(symbol) {
      const token = tokens[symbol];
      if (token === undefined) throw new RangeError(`${symbol} is not a token`);
      return token;
    },
  };
}

export interface AllTokens {
  /** For `tokenTable('ethereum-regtest', overrides)`. */
  readonly overrides: Partial<Record<CryptoSymbol, string>>;
  token(symbol: CryptoSymbol): DeployedToken;
}

// Helpers

async function minedAddress(anvil: Anvil, txid: string): Promise<string> {
  type Receipt = { readonly contractAddress: string; readonly status: string } | null;
  const find = () => anvil.rpc<Receipt>('eth_getTransactionReceipt', [txid]);
  let receipt = await find();
  if (receipt === null) {
    await anvil.mine();
    receipt = await find();
  }
  if (receipt?.status !== '0x1') throw new Error('the contract could not be deployed');
  return receipt.contractAddress.toLowerCase();
}
