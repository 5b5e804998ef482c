import { codeBlocks, readDocument } from './markdown.ts';

export interface ShownCommand {
  readonly document: string;
  /** One line of a shell block, joined with its continuation lines. */
  readonly line: string;
}

/** Commands that need what a test run lacks, or that another test runs: where, and which. */
export const PROVED_ELSEWHERE: readonly [where: string, commands: RegExp][] = [
  ['test/docs/commands.full.test.ts begins with these', /^npm ci|^KEY=|^curl -s http:|^(DATABASE|NATS)_URL=/],
  ['test/docs/commands.full.test.ts runs every npm script', /^npm (run|start|test)\b/],
  ['test/chaos/short.full.test.ts takes these options', /--payments 1000|--only kill|^npm run chaos/],
  ['a public network, which no test may ask; test/e2e/cli/cli.test.ts does it on regtest', /_NETWORK=mainnet/],
  [
    'Docker: test/deploy/dockerfile.test.ts and test/platform/config/compose.test.ts read what it reads',
    /^docker |^cp settings\.env|^for name in POSTGRES /,
  ],
  ['where Docker Compose runs', /^cd deploy\/compose$/],
  [
    'systemd: test/deploy/systemd.test.ts',
    /^systemctl|^systemd-run|^ln -sfn|^install -D|^cp deploy\/systemd|^git clone|restart\.sh/,
  ],
  ['files of systemd: test/deploy/systemd.test.ts reads them', /^printf '%s\\n' .* > \S+\.env$|^cd \/etc\/quittance$/],
  ['test/package/install.full.test.ts packs and installs', /^npm (pack|install)\b/],
  ['test/release/release.test.ts', /^npm run release|^git show v/],
  ['test/e2e/restarts/restore.full.test.ts restores a backup', /^createdb|^pg_restore|restore finish$/],
  ['what a failed chaos run prints, test/chaos', /^psql chaos/],
  ['test/platform/db/roles.test.ts', /^psql "\$ADMIN_URL"/],
  ['test/docs/snippets.test.ts', /\$QUITTANCE_URL|^printf 'sha256=|^grep -Eq/],
  ['settings, not commands', /^(SMTP_URL|MAIL_FROM|ETH_TOKENS)=/],
  ['needs the merchant whom plans are paid to: test/billing/buying.test.ts', /\/v1\/billing\/checkout/],
  ['test/platform/tracing/one-process.test.ts', /^TRACES_URL=|^grep -h req_/],
  ['databases of tests need not survive a crash, which it minds: test/cli/doctor', /^quittance doctor$/],
  ['there is one version of the chart: test/platform/engine/versions.test.ts', /actor migrate/],
];

/** The commands of all shell blocks of a document. Multi-statement scripts have their own tests. */
export function shownCommands(document: string): ShownCommand[] {
  return codeBlocks(readDocument(document), 'sh')
    .filter((block) => !block.includes('#!/bin/sh'))
    .flatMap((block) =>
      block
        .replaceAll(/<<'END'\n[^]*?\nEND\n/g, '\n')
        .replaceAll(/\\\n\s*/g, '')
        .split('\n'),
    )
    .map((line) => line.replace(/\s+# .*$|^#.*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => ({ document, line }));
}
