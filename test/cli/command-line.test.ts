import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineCommand } from '../../src/cli/command.ts';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { COMMAND_GROUPS, loadCommands } from '../../src/cli/command-table.ts';
import { helpText } from '../../src/cli/help.ts';
import { asOneOf, asText, asWholeNumber, flag, operand, optional, required } from '../../src/cli/options.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';

describe('the command line', () => {
  test('without a command serves, also when options come first', async () => {
    expect(await parseCommandLine([])).toMatchObject({ kind: 'run', name: 'serve' });
    expect(await parseCommandLine(['--provision', 'a.json'])).toMatchObject({ kind: 'run', name: 'serve' });
  });

  test.each([[['help']], [['--help']], [['-h']], [['chain', 'rescan', '--help']]])(
    '%j prints the help',
    async (args) => {
      expect(await parseCommandLine(args)).toEqual({ kind: 'help' });
    },
  );

  test.each([[['--version']], [['-v']]])('%j prints the version', async (args) => {
    expect(await parseCommandLine(args)).toEqual({ kind: 'version' });
  });

  test.each([
    [['provision', 'merchants.json', '--out', 's.json'], 'provision'],
    [['chain', 'status', '--json'], 'chain status'],
    [['chain', 'rescan', '--network', 'litecoin-mainnet', '--from', '5', '--to', '9'], 'chain rescan'],
    [['chain', 'strays', '--network', 'litecoin-mainnet'], 'chain strays'],
    [['chain', 'decode-block', '--crypto', 'DOGE', '--hex', '-'], 'chain decode-block'],
    [['wallet', 'preview', '--crypto', 'LTC', '--key', '-'], 'wallet preview'],
    [['wallet', 'status'], 'wallet status'],
    [['wallet', 'advance', '--merchant', 'A shop', '--crypto', 'USDT', '--by', '7'], 'wallet advance'],
  ])('%j is parsed', async (args, name) => {
    expect(await parseCommandLine(args)).toMatchObject({ kind: 'run', name });
  });

  test.each([
    [['frobnicate'], 'there is no command "frobnicate"'],
    [
      ['chain'],
      'there is no command "chain"; choose from chain status, chain rescan, chain strays, chain decode-block',
    ],
    [['chain', 'statsu'], 'there is no command "chain statsu"; choose from chain status'],
    [['serve', 'now'], 'serve: unexpected argument "now"'],
    [['provision'], 'provision: FILE is missing: The provisioning file'],
    [['provision', 'a.json', 'b.json'], 'provision: unexpected argument "b.json"'],
    [['chain', 'status', '--verbose'], "chain status: Unknown option '--verbose'; it accepts --json"],
    [['chain', 'rescan', '--network', 'litecoin-mainnet'], 'chain rescan: --from is missing: The first block'],
    [['chain', 'rescan', '--network', 'a', '--from', '1e3'], '--from must be a whole number from 0 to'],
    [
      ['chain', 'rescan', '--network', 'a', '--from', '1', '--to'],
      "'--to <value>' argument missing; it accepts --network",
    ],
    [['chain', 'decode-block', '--crypto', 'ETH', '--hex', '-'], '--crypto must be one of BTC, LTC, DOGE, DASH'],
    [['wallet', 'preview', '--crypto', 'LTC', '--key', ''], '--key must not be empty'],
    [
      ['wallet', 'preview', '--crypto', 'LTC', '--key', 'k', '--count', '101'],
      '--count must be a whole number from 1 to 100',
    ],
    [['wallet', 'advance', '--merchant', 'A', '--crypto', 'ltc'], '--crypto must be one of BTC, LTC'],
    [['wallet', 'advance', '--merchant', 'A', '--crypto', 'LTC', '--by', '0'], '--by must be a whole number from 1 to'],
  ])('%j is rejected with the expected usage', async (args, message) => {
    await expect(parseCommandLine(args)).rejects.toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringMatching(new RegExp(`${escaped(message)}.*\\nRun "quittance --help"`)),
      }),
    );
  });
});

describe('command groups', () => {
  test('contain the commands that start with their word', async () => {
    for (const { word, load } of COMMAND_GROUPS) {
      for (const { name } of await load()) expect(name.split(' ')[0]).toBe(word);
    }
    const words = COMMAND_GROUPS.map(({ word }) => word);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('a command', () => {
  test('receives every value under its name, in any order of the options', async () => {
    const options = fc.record({
      file: fc.stringMatching(/^[a-z./]{1,10}$/),
      merchant: fc.stringMatching(/^[A-Za-z .]{1,10}$/),
      by: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null }),
      kind: fc.option(fc.constantFrom('mainnet', 'testnet'), { nil: 'regtest' }),
      json: fc.boolean(),
    });
    const seeds = fc.array(fc.nat(), { minLength: 5, maxLength: 5 });
    const taken: unknown[] = [];
    const command = defineCommand({
      name: 'try',
      summary: '',
      options: {
        file: operand('FILE', ''),
        merchant: required('NAME', '', asText),
        by: optional('N', '', asWholeNumber(1, 1_000), null),
        kind: optional('KIND', '', asOneOf(['mainnet', 'testnet']), 'regtest'),
        json: flag(''),
      },
      run: async (values) => void taken.push(values),
    });
    await assertAsyncProperty(
      fc.asyncProperty(options, seeds, async (values, order) => {
        const written = [
          [values.file],
          ['--merchant', values.merchant],
          values.by === null ? [] : ['--by', String(values.by)],
          values.kind === 'regtest' ? [] : [`--kind=${values.kind}`],
          values.json ? ['--json'] : [],
        ];
        const shuffled = written.map((part, index) => ({ part, key: order[index] ?? 0 })).sort((a, b) => a.key - b.key);
        await command.prepare(shuffled.flatMap(({ part }) => part))();
        expect(taken.pop()).toEqual(values);
      }),
    );
  });
});

describe('the help', () => {
  test('shows every command with every option, with optional ones in brackets', async () => {
    const help = await helpText();
    for (const { name, options } of await loadCommands()) {
      const [, section = ''] = help.split(`  quittance ${name}`);
      // Its line and the continuation lines.
      const [usage = ''] = /^[^\n]*(?:\n {6}[[-][^\n]*)*/.exec(section) ?? [];
      for (const [option, { kind, placeholder, isRequired }] of Object.entries(options)) {
        const written =
          kind === 'operand' ? placeholder : kind === 'flag' ? `--${option}` : `--${option} ${placeholder}`;
        expect(
          usage.replaceAll(/\n {5}/g, '').includes(isRequired ? ` ${written}` : `[${written}]`),
          `${name} ${option}: ${usage}`,
        ).toBe(true);
      }
    }
  });

  test('fits a terminal', async () => {
    for (const line of (await helpText()).split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
  });
});

// Helpers

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
