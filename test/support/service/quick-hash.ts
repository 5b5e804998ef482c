import { hash } from '@node-rs/argon2';

/**
 * Password hash for test users. The hash string contains its own parameters, so the service
 * verifies it in a fraction of the usual time. The service's own hashing is tested in
 * test/accounts/password.test.ts.
 */
export function hashQuickly(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
}
