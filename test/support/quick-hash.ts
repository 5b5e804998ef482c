import { hash } from '@node-rs/argon2';

/**
 * A password hash for users of tests. It names its own parameters, so the service verifies it in a fraction of the time that the
 * real ones take. How the service hashes is the subject of test/accounts/password.test.ts.
 */
export function hashQuickly(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
}
