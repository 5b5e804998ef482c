import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Unbiased random letters and digits, 5.95 bits each. */
export function randomBase62(characters: number): string {
  return Array.from({ length: characters }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}

/** An initial password for an account created by the operator: 131 random bits. */
export function newPassword(): string {
  return randomBase62(22);
}
