import { readFile } from 'node:fs/promises';
import { CRYPTO_SYMBOLS, type CryptoSymbol, isCryptoSymbol, MODES, type Mode } from '../../../machines/index.ts';
import { type Image, MAX_IMAGE_BYTES, readImage } from '../../images/index.ts';
import { type MerchantSettings, PLAN_TIERS, type WalletSpec } from '../../merchants/index.ts';
import { messageOf, TerminalError } from '../../platform/errors.ts';
import { ADDRESS_TYPES, type AddressType } from '../../wallets/index.ts';
import { type EndpointChanges, MAX_DESCRIPTION_CHARACTERS, MAX_PER_SECOND } from '../../webhooks/index.ts';
import { readSettings } from './read-settings.ts';
import { createReader, type Reader } from './reader.ts';

/**
 * The validated provisioning file. docs/operators/merchants-and-wallets.md describes each field.
 */
export interface ProvisioningFile {
  readonly merchants: readonly MerchantEntry[];
}

export interface MerchantEntry {
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly settings: Partial<MerchantSettings>;
  /** Null: none in the file. */
  readonly logo: Image | null;
  readonly wallets: readonly WalletEntry[];
  readonly webhooks: readonly WebhookEntry[];
}

/** A wallet, and the mode whose payments it receives. */
export interface WalletEntry extends WalletSpec {
  readonly mode: Mode;
}

/** Absent fields stay unchanged; a new endpoint gets the defaults of `createEndpoint`. */
export interface WebhookEntry extends Omit<EndpointChanges, 'url' | 'events'> {
  readonly url: string;
  readonly events?: readonly string[];
}

const DEFAULT_PLAN = 'starter';

/**
 * Reads and validates a provisioning file. Throws a `TerminalError` `PROVISIONING_FILE` that lists
 * every error with its JSON path and remedy. Messages never contain keys.
 */
export async function readProvisioningFile(path: string): Promise<ProvisioningFile> {
  return parseProvisioningFile(await readJson(path), path);
}

/** The same for parsed JSON; `source` names it in messages. */
export function parseProvisioningFile(json: unknown, source: string): ProvisioningFile {
  const errors: string[] = [];
  const root = createReader(json, '$', errors);
  root.onlyFields(['merchants']);
  const merchants = root.list('merchants', { required: true }).map(readMerchant);
  const names = merchants.map((merchant) => merchant.name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index)
      errors.push(`$.merchants[${index}].name: "${name}" occurs twice; names must be unique`);
  }
  if (errors.length > 0) {
    throw new TerminalError(
      'PROVISIONING_FILE',
      [`${source} cannot be used:`, ...errors.map((each) => `  ${each}`)].join('\n'),
    );
  }
  return { merchants };
}

// Helpers

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new TerminalError('PROVISIONING_FILE', `${path} cannot be read: ${messageOf(error)}`);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes the text around the error, which may be a key.
    throw new TerminalError('PROVISIONING_FILE', `${path} is not valid JSON; check it with a JSON validator`);
  }
}

/** More than a data URL of the largest image has. */
const MAX_DATA_URL_CHARACTERS = 2 * MAX_IMAGE_BYTES;

function readMerchant(reader: Reader): MerchantEntry {
  reader.onlyFields(['name', 'email', 'plan', 'settings', 'wallets', 'webhooks']);
  return {
    name: reader.customerText('name', { maxLength: 100 }),
    email: reader.matching('email', /^[^\s@]{1,64}@[^\s@]{1,255}$/, 'must be an email address'),
    plan: reader.oneOf('plan', PLAN_TIERS, DEFAULT_PLAN),
    settings: readSettings(reader.object('settings')),
    logo: reader.object('settings').read('logo', MAX_DATA_URL_CHARACTERS, readImage),
    wallets: reader.list('wallets').map(readWallet),
    webhooks: reader.list('webhooks').map(readWebhook),
  };
}

function readWallet(reader: Reader): WalletEntry {
  reader.onlyFields(['mode', 'crypto', 'extended_public_key', 'address_type']);
  const crypto = reader.oneOf<CryptoSymbol>('crypto', CRYPTO_SYMBOLS);
  const addressType = reader.has('address_type') ? reader.oneOf<AddressType>('address_type', ADDRESS_TYPES) : undefined;
  return {
    mode: reader.oneOf('mode', MODES, 'live'),
    crypto: isCryptoSymbol(crypto) ? crypto : 'BTC',
    extendedPublicKey: reader.text('extended_public_key', { maxLength: 4_096 }),
    addressType,
  };
}

function readWebhook(reader: Reader): WebhookEntry {
  reader.onlyFields([
    'url',
    'events',
    'modes',
    'description',
    'enabled',
    'disables_itself',
    'disables_on_gone',
    'max_per_second',
  ]);
  const enabled = reader.flag('enabled');
  const disablesItself = reader.flag('disables_itself');
  const disablesOnGone = reader.flag('disables_on_gone');
  return {
    url: reader.text('url', { maxLength: 2_048 }),
    ...(reader.has('events') ? { events: reader.texts('events') } : {}),
    ...(reader.has('modes') ? { modes: reader.texts('modes') } : {}),
    ...(reader.has('description')
      ? { description: reader.text('description', { maxLength: MAX_DESCRIPTION_CHARACTERS }) }
      : {}),
    ...(enabled === null ? {} : { enabled }),
    ...(disablesItself === null ? {} : { disablesItself }),
    ...(disablesOnGone === null ? {} : { disablesOnGone }),
    ...(reader.has('max_per_second')
      ? { maxPerSecond: reader.number('max_per_second', { min: 1, max: MAX_PER_SECOND, whole: true }) }
      : {}),
  };
}
