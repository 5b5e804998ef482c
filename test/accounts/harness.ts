import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import {
  type AccountsDeps,
  beginTotp,
  confirmTotp,
  findSession,
  type SignedInUser,
  signIn,
} from '../../src/accounts/index.ts';
import { createUser } from '../../src/accounts/users/create-user.ts';
import type { UserRole } from '../../src/accounts/users/role.ts';
import type { Connection } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger, type Log } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { hashQuickly } from '../support/service/quick-hash.ts';

export const PASSWORD = 'quiet harbour 7 lanterns';
export const PUBLIC_URL = 'https://pay.example.com';
const ADDRESS = '203.0.113.7';

/** Dependencies of the account use cases, on a test database. */
export interface AccountsHarness extends AccountsDeps {
  readonly clock: TestClock;
  /** Creates a merchant without users. */
  addMerchant(): Promise<string>;
  /** Creates a login with PASSWORD; a merchant role without a merchant gets a new one. */
  add(role: UserRole, merchantId?: string): Promise<TestUser>;
  /** Signs a person in, from a new address. */
  enter(person: TestUser, code?: string): Promise<{ readonly token: string; readonly signedIn: SignedInUser }>;
  /** Sets up an authenticator app. */
  addTotp(person: TestUser): Promise<TestTotp>;
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly merchantId: string | null;
}

export interface TestTotp {
  /** The code the app shows at the clock's current time. */
  code(): string;
  readonly recoveryCodes: readonly string[];
}

let numbers = 0;
let passwordHash: Promise<string> | undefined;

export function createAccountsHarness(
  connection: Pick<Connection, 'db'>,
  options: { signUpIsOpen?: boolean; reauthMinutes?: number } = {},
): AccountsHarness {
  const { db } = connection;
  const clock = createTestClock();
  const deps: AccountsDeps & { clock: TestClock } = {
    db,
    clock,
    secretBox: createSecretBox(new Uint8Array(32)),
    publicUrl: PUBLIC_URL,
    reauthMinutes: options.reauthMinutes ?? 10,
    signUp: { isOpen: options.signUpIsOpen ?? true, reservedNames: ['The Operator'] },
  };
  async function addMerchant(): Promise<string> {
    const id = newId('mer');
    await db
      .insertInto('merchant')
      .values({ id, name: `Shop ${id}`, email: 'shop@shop.test', plan: 'starter', settings: '{}' })
      .execute();
    return id;
  }
  async function enter(person: TestUser, code: string | null = null) {
    const { token } = await signIn(deps, { ...signInRequest(person.email), code, address: uniqueAddress() });
    return { token, signedIn: await signedInUserOf(deps, token) };
  }
  return {
    ...deps,
    addMerchant,
    enter,
    async add(role, merchantId) {
      passwordHash ??= hashQuickly(PASSWORD);
      const hash = await passwordHash;
      const isOfMerchant = role === 'owner' || role === 'staff';
      const ownMerchantId = isOfMerchant ? (merchantId ?? (await addMerchant())) : null;
      const email = `Person.${numbers++}-${newId('usr').slice(4, 12)}@people.example`;
      const { id } = await db
        .transaction()
        .execute((trx) =>
          createUser(
            { trx, who: 'a test', now: clock.now() },
            { email, role, merchantId: ownMerchantId, passwordHash: hash },
          ),
        );
      return { id, email, merchantId: ownMerchantId };
    },
    async addTotp(person) {
      const { signedIn } = await enter(person);
      const { secret } = await beginTotp(deps, signedIn, PASSWORD);
      const code = () => codeAt(secret, clock.now());
      return { code, recoveryCodes: await confirmTotp(deps, signedIn, code()) };
    },
  };
}

/** The signed-in user of a session token. */
export async function signedInUserOf(deps: AccountsDeps, token: string): Promise<SignedInUser> {
  const session = await findSession(deps, token);
  if (session === null) throw new Error('the session is not open');
  const { userId, sessionId, role, merchant } = session;
  return { userId, sessionId, role, merchantId: merchant?.id ?? null };
}

export function signInRequest(email: string, password: string = PASSWORD) {
  return { email, password, code: null, address: ADDRESS, userAgent: 'A browser', formerToken: null };
}

export function codeAt(secret: string, now: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now });
}

/** A new address, so that attempts from it belong to one test. */
export function uniqueAddress(): string {
  numbers += 1;
  return `10.${(numbers >> 16) & 255}.${(numbers >> 8) & 255}.${numbers & 255}`;
}

/** The newest mail to an address, with the token of its link; null for none. */
export async function lastMail(
  { db }: Pick<AccountsDeps, 'db'>,
  email: string,
): Promise<{ readonly subject: string; readonly text: string; readonly token: string } | null> {
  const { rows } = await sql<{ subject: string; text: string }>`
    select subject, text from mail where lower(recipient) = lower(${email})
    order by created_at desc, ctid desc limit 1`.execute(db);
  const [mail] = rows;
  if (mail === undefined) return null;
  const [, token = ''] = /\/console\/[\w/-]+#([A-Za-z0-9_-]{43})/.exec(mail.text) ?? [];
  return { ...mail, token };
}

/** A log that keeps its lines. */
export function keptLog(): { readonly log: Log; readonly text: () => string } {
  let kept = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      kept += String(chunk);
      done();
    },
  });
  return { log: createLogger({ level: 'trace', destination }), text: () => kept };
}

/** The error code; `done` when there was none. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
      throw error;
    },
  );
}
