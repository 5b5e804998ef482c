import { describeSettings } from '../config/index.ts';
import { VERSION } from '../version.ts';

/** The text of `quittance --help`. */
export function HELP(): string {
  return `quittance ${VERSION}: cryptocurrency payments straight into the merchant's own wallet

Commands
  quittance [serve] [--provision FILE --out SECRETS]
      Runs the service. With --provision, the file is applied first.
  quittance provision FILE [--out SECRETS]
      Creates or updates the merchants of FILE. New secrets are written to SECRETS (mode 0600), once.
  quittance wallet advance --merchant NAME --crypto SYMBOL [--by 100]
      After restoring a backup: skips addresses that the lost copy may have handed out.
  quittance --help, --version

Settings (environment)
${describeSettings()}`;
}

export function versionLine(): string {
  return `quittance ${VERSION}`;
}
