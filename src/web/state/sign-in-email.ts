/**
 * The email that the sign-in page fills in, of a user who has just chosen a password. Kept in
 * memory only, so that no URL or browser history contains it.
 */
let known = '';

export function rememberEmail(email: string): void {
  known = email;
}

/** Empty when there is none. */
export function rememberedEmail(): string {
  return known;
}
