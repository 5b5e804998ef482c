import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createUser } from '../../../../src/accounts/users/create-user.ts';
import type { UserRole } from '../../../../src/http/console/session/schemas.ts';
import type { IssuedKeys } from '../../../../src/merchants/index.ts';
import { type Clock, systemClock } from '../../../../src/platform/clock.ts';
import { type Environment, loadConfig } from '../../../../src/platform/config/index.ts';
import type { Database } from '../../../../src/platform/db/index.ts';
import { createSecretBox } from '../../../../src/platform/secrets/index.ts';
import { paymentNetworksOf } from '../../../../src/service/payment-networks-of.ts';
import { applyProvisioning } from '../../../../src/service/provisioning/apply.ts';
import { parseProvisioningFile } from '../../../../src/service/provisioning/file.ts';
import { createPostgresDatabase } from '../../../support/database/test-database.ts';
import { hashQuickly } from '../../../support/service/quick-hash.ts';
import { createTestService, type RunningService } from '../../../support/service/service.ts';

/** The real service on a Postgres database, to which merchants with users can be added. */
export interface ConsoleService {
  readonly service: RunningService;
  readonly db: Kysely<Database>;
  addShop(wallets: readonly ProvisionedWallet[]): Promise<Shop>;
  close(): Promise<void>;
}

/** Two new merchants and a user for each role. */
export interface Shop {
  readonly merchantId: string;
  readonly keys: IssuedKeys;
  /** Another merchant of the same service. */
  readonly neighbour: { readonly merchantId: string; readonly keys: IssuedKeys };
  readonly users: Readonly<Record<Who, Person>>;
}

/** One user for each role, and the owner of the other merchant. */
export type Who = UserRole | 'neighbour';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A wallet as in a provisioning file. */
export interface ProvisionedWallet {
  readonly crypto: string;
  readonly extended_public_key: string;
}

export async function startConsoleService({
  clock = systemClock,
  env = {},
}: {
  readonly clock?: Clock;
  readonly env?: Environment;
}): Promise<ConsoleService> {
  const database = await createPostgresDatabase();
  if (database.url === null) throw new Error('a Postgres database has an address');
  const { db } = database;
  // A test may use its own address: the shared one may have used up its requests per minute.
  const settings = {
    DATABASE_URL: database.url,
    // Every connection starts with cold caches of the server.
    DATABASE_POOL_SIZE: '4',
    TRUSTED_PROXIES: '127.0.0.0/8',
    ...env,
  };
  const service = await createTestService({ clock, env: settings });
  await service.start();
  const config = loadConfig({ DATA_DIR: service.dataDir, ...settings });
  const provisioning = {
    db,
    clock,
    networks: paymentNetworksOf(config),
    endpoints: {
      secretBox: createSecretBox(new Uint8Array(32)),
      urls: config.webhooks,
      plansEnabled: config.plansEnabled,
    },
  };

  async function addUser(who: Who, name: string, merchantId: string): Promise<Person> {
    const email = `${who}-${name}@example.com`;
    const password = randomBytes(16).toString('base64url');
    const passwordHash = await hashQuickly(password);
    const role = ROLE_OF[who];
    const ownMerchantId = role === 'owner' || role === 'staff' ? merchantId : null;
    await db
      .transaction()
      .execute((trx) =>
        createUser({ trx, who: 'test', now: clock.now() }, { email, role, merchantId: ownMerchantId, passwordHash }),
      );
    return { email, password };
  }

  return {
    service,
    db,
    async addShop(wallets) {
      const name = `shop-${randomBytes(4).toString('hex')}`;
      const merchants = [
        { name, email: `${name}@example.com`, plan: 'professional', wallets, webhooks: [] },
        { name: `${name}-neighbour`, email: `${name}-n@example.com`, plan: 'professional', wallets: [], webhooks: [] },
      ];
      const file = parseProvisioningFile({ merchants }, 'provisioning');
      const { created } = await applyProvisioning(provisioning, file, async () => {});
      const [own, neighbour] = created.map(({ merchant_id: merchantId, keys }) => {
        if (keys === undefined) throw new Error('the merchant was not created');
        return { merchantId, keys };
      });
      if (own === undefined || neighbour === undefined) throw new Error('the merchants were not created');
      const users = Object.fromEntries(
        await Promise.all(
          (Object.keys(ROLE_OF) as Who[]).map(async (who) => [
            who,
            await addUser(who, name, who === 'neighbour' ? neighbour.merchantId : own.merchantId),
          ]),
        ),
      ) as Record<Who, Person>;
      return { ...own, neighbour, users };
    },
    async close() {
      await service.remove();
      await database.drop();
    },
  };
}

/**
 * Settings of a service with a mail server: where there is none, owners cannot invite. Nothing
 * listens at this address, so no email is sent.
 */
export const MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@shop.example' };

// Helpers

const ROLE_OF: Readonly<Record<Who, UserRole>> = {
  owner: 'owner',
  staff: 'staff',
  operator: 'operator',
  observer: 'observer',
  neighbour: 'owner',
};
