import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import solc from 'solc';
import { writeOrCheck } from '../write-or-check.ts';

/**
 * `npm run contracts` compiles the test contracts into one committed file, so that tests need no
 * compiler; with `--check` it only compares.
 */
const FOLDER = 'test/support/contracts';
const SOURCES = ['Tokens.sol', 'Forwarder.sol'];

await writeOrCheck('npm run contracts', [{ path: 'generated/test-contracts.json', text: await compileAll() }]);

// Helpers

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly abi: readonly unknown[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

async function compileAll(): Promise<string> {
  const sources: Record<string, { content: string }> = {};
  for (const name of SOURCES) sources[name] = { content: await readFile(join(FOLDER, name), 'utf8') };
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      // The oldest EVM version that works on all current networks; later ones would need matching
      // hardforks in test nodes.
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      // Without the hash of the sources, editing a comment does not change the output.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)));
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));

  const artifacts: Record<string, { abi: readonly unknown[]; bytecode: string }> = {};
  for (const contracts of Object.values(output.contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(contracts)) {
      // Abstract contracts have no bytecode.
      if (evm.bytecode.object !== '') artifacts[name] = { abi, bytecode: `0x${evm.bytecode.object}` };
    }
  }
  const sorted = Object.fromEntries(Object.entries(artifacts).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}
