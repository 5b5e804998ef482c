import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ASSETS } from '../../../../../machines/index.ts';
import { emailSecurityChange } from '../../../../accounts/index.ts';
import {
  attachWallets,
  type ExportedAddress,
  exportAddresses,
  FIRST_ADDRESSES,
  listWallets,
  MAX_SKIPPED_ADDRESSES,
  reportSharedKey,
  skipWalletAddresses,
  WalletShared,
} from '../../../../merchants/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { isoTime } from '../../../../platform/iso-time.ts';
import { CUSTOMARY_GAP_LIMIT, previewAddresses, requireTestForm } from '../../../../wallets/index.ts';
import { IdParams } from '../../schema.ts';
import { requireReauth, requireRole } from '../../session/guard.ts';
import { BYTE_ORDER_MARK, csvLine, sendCsv } from '../csv.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, changeAsMember, memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { choicesOf, kindOf, walletInfoOf } from './describe-wallets.ts';
import {
  AttachBody,
  type AttachedWallets,
  PreviewBody,
  SkipBody,
  type SkippedAddresses,
  type WalletList,
  type WalletPreview,
} from './schemas.ts';

type WalletsDeps = Pick<MerchantDeps, 'db' | 'clock' | 'networks'> & { readonly slots: ReadSlots };

/**
 * Wallets: owners compare and set them and export their addresses, staff can list them. The pasted
 * key is never returned and never logged. Another merchant's wallet is `WALLET_NOT_FOUND`.
 */
export const walletsRoutes: FastifyPluginAsyncTypebox<WalletsDeps> = async (app, deps) => {
  const { db, networks, slots } = deps;
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/wallets', async (request) => {
    const listed = await listWallets(db, memberOf(request).merchantId);
    return {
      data: {
        wallets: listed.map((wallet) => walletInfoOf(networks, wallet)),
        chains: choicesOf(networks, listed),
        gapLimit: CUSTOMARY_GAP_LIMIT,
        maxSkipped: MAX_SKIPPED_ADDRESSES,
      } satisfies WalletList,
    };
  });

  app.post('/wallets/preview', { ...forOwners, schema: { body: PreviewBody } }, async (request) => {
    const { mode = 'live', crypto, extendedPublicKey, ...type } = request.body;
    const { chain } = ASSETS[crypto];
    const key = asPasted(extendedPublicKey);
    const spec = { chain, networkKind: kindOf(networks, mode, chain), key, count: FIRST_ADDRESSES, ...type };
    const { keyId: _, warnings, ...preview } = previewAddresses(spec);
    if (mode === 'test') requireTestForm({ chain, prefix: preview.prefix });
    // The page asks for the address type instead of warning about the assumed one.
    const shown = warnings.filter(({ code }) => code !== 'ADDRESS_TYPE_ASSUMED');
    const data: WalletPreview = { ...preview, warnings: shown.map(({ message }) => message) };
    return { data };
  });

  app.post('/wallets', { ...withPassword, schema: { body: AttachBody } }, async (request, reply) => {
    const { isMatching, mode = 'live', extendedPublicKey, ...body } = request.body;
    if (!isMatching) throw notCompared();
    const { cryptos, firstAddress } = body;
    const [first] = cryptos;
    const networkKind = first === undefined ? 'mainnet' : kindOf(networks, mode, ASSETS[first].chain);
    const member = memberOf(request);
    const { merchantId } = member;
    const spec = { ...body, merchantId, mode, networkKind, extendedPublicKey: asPasted(extendedPublicKey) };
    const attaching: Promise<AttachedWallets> = changeAsMember(deps, member, async (change) => {
      const { network, attached, replaced } = await attachWallets(change, spec);
      for (const [what, coins] of [
        ['replaced', replaced],
        ['added', attached],
      ] as const) {
        if (coins.length === 0) continue;
        await emailSecurityChange(change, member, {
          subject: `A wallet was ${what}`,
          details: [
            ['Coins', coins.join(', ')],
            ['Network', network],
            ['First address', firstAddress],
          ],
        });
      }
      return { attached, replaced };
    });
    const data = await attaching.catch(async (error: unknown) => {
      if (error instanceof WalletShared) await reportSharedKey(db, authorOf(deps, member), error);
      throw error;
    });
    return reply.code(201).send({ data });
  });

  // As for payments: a plain GET link, without a HEAD route.
  const file = { schema: { params: IdParams }, ...forOwners, exposeHeadRoute: false };
  app.get('/wallets/:id/addresses.csv', file, async (request, reply) => {
    const { merchantId } = memberOf(request);
    const { id: walletId } = request.params;
    const pieces = addressesCsv(exportAddresses(deps, { merchantId, walletId }));
    return sendCsv(reply, { name: `addresses-${walletId}`, pieces: slots.stream(merchantId, pieces) });
  });

  const skipping = { ...withPassword, schema: { params: IdParams, body: SkipBody } };
  app.post('/wallets/:id/skip', skipping, async (request) => {
    const member = memberOf(request);
    const input = { merchantId: member.merchantId, walletId: request.params.id, ...request.body };
    const lastSkippedIndex = await changeAsMember(deps, member, async (change) => {
      const last = await skipWalletAddresses(change, input);
      await emailSecurityChange(change, member, {
        subject: 'Addresses of a wallet were skipped',
        details: [['Addresses', `${input.count}, up to number ${last}`]],
      });
      return last;
    });
    return { data: { lastSkippedIndex } satisfies SkippedAddresses };
  });
};

// Helpers

/** A copied key may include spaces and line ends. */
function asPasted(key: string): string {
  return key.trim();
}

function notCompared(): TerminalError {
  return new TerminalError(
    'INVALID_REQUEST',
    'isMatching must be true: coins sent to addresses of another wallet are lost; compare the addresses first',
    { field: 'isMatching' },
  );
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/**
 * The addresses of a wallet as a CSV file, streamed as they are read. Times are ISO 8601 in UTC;
 * derivation paths are below the account level.
 */
async function* addressesCsv(batches: AsyncIterable<readonly ExportedAddress[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name));
  for await (const addresses of batches) {
    yield addresses.map((address) => csvLine(COLUMNS.map(([, cell]) => cell(address)))).join('');
  }
}

type Column = readonly [name: string, cell: (address: ExportedAddress) => string];

const COLUMNS: readonly Column[] = [
  ['index', ({ index }) => String(index)],
  ['derivation_path', ({ derivationPath }) => derivationPath],
  ['address', ({ address }) => address],
  ['use', ({ use }) => use],
  ['taken_at', ({ takenAt }) => (takenAt === null ? '' : isoTime(takenAt))],
  ['is_watched', ({ isWatched }) => (isWatched === null ? '' : yesOrNo(isWatched))],
  ['payment_id', ({ payment }) => payment?.id ?? ''],
  ['crypto', ({ payment }) => payment?.crypto ?? ''],
  ['payment_status', ({ payment }) => payment?.status ?? ''],
  ['payment_exception', ({ payment }) => payment?.exception ?? ''],
];
