import type { FastifyPluginAsync } from 'fastify';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import type { Mode } from '../../contract/desk.ts';
import type { AddressType } from '../../contract/wallets.ts';
import { type FieldReader, listOf, maybe, oneOf, readFields, textUpTo, whole, yesOrNo } from '../../reading.ts';
import { requireReauth, requireRole } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import type { WalletsDesk } from './port.ts';

/** Longer than any key, phrase or descriptor. */
const MAX_KEY_CHARACTERS = 4_000;
/** Longer than any address or id. */
const MAX_NAME_CHARACTERS = 200;
/** Above the limit of addresses that can be skipped at once, which the use case checks. */
const MAX_COUNT = 1_000_000;

/**
 * Wallets: owners compare and set them, staff can list them. The pasted key is never returned and
 * never logged.
 */
export const walletsRoutes: FastifyPluginAsync<{ readonly wallets: WalletsDesk }> = async (app, { wallets }) => {
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/wallets', async (request) => ({ data: await wallets.list(memberOf(request)) }));

  app.post('/wallets/preview', forOwners, async (request) => {
    const fields = { mode: maybe(mode), crypto, extendedPublicKey, addressType: maybe(addressType) };
    const { mode: given = 'live', ...wanted } = readFields(request.body, fields);
    return { data: await wallets.preview({ mode: given, ...wanted }) };
  });

  app.post('/wallets', withPassword, async (request, reply) => {
    const {
      isMatching,
      mode: given = 'live',
      ...wanted
    } = readFields(request.body, {
      mode: maybe(mode),
      cryptos: listOf(crypto, CRYPTO_SYMBOLS.length),
      extendedPublicKey,
      addressType,
      firstAddress: textUpTo(MAX_NAME_CHARACTERS),
      isMatching: yesOrNo,
      replaces: yesOrNo,
    });
    if (!isMatching) throw notCompared();
    return reply.code(201).send({ data: await wallets.attach(memberOf(request), { mode: given, ...wanted }) });
  });

  app.post('/wallets/:id/skip', forOwners, async (request) => {
    const { id } = readFields(request.params, { id: textUpTo(MAX_NAME_CHARACTERS) });
    return {
      data: await wallets.skip(memberOf(request), id, readFields(request.body, { count: whole(1, MAX_COUNT) })),
    };
  });
};

// Helpers

const crypto = oneOf(CRYPTO_SYMBOLS);
const mode = oneOf<Mode>(['live', 'test']);
const addressType = oneOf<AddressType>(['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'evm']);

/** A copied key may include spaces and line ends. */
const extendedPublicKey: FieldReader<string> = (value, name) => textUpTo(MAX_KEY_CHARACTERS)(value, name).trim();

function notCompared(): TerminalError {
  return new TerminalError(
    'INVALID_REQUEST',
    'isMatching must be true: money sent to addresses of another wallet is lost, so compare the addresses first',
    { field: 'isMatching' },
  );
}
