import { isoTime } from '../../../iso-time.ts';
import type { ExportedAddress } from '../../../merchants/index.ts';
import { BYTE_ORDER_MARK, csvLine } from '../payments/csv.ts';

/**
 * The addresses of a wallet as a CSV file, streamed as they are read. Times are ISO 8601 in UTC;
 * derivation paths are below the account level.
 */
export async function* addressesCsv(batches: AsyncIterable<readonly ExportedAddress[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name));
  for await (const addresses of batches) {
    yield addresses.map((address) => csvLine(COLUMNS.map(([, cell]) => cell(address)))).join('');
  }
}

// Helpers

type Column = readonly [name: string, cell: (address: ExportedAddress) => string];

const COLUMNS: readonly Column[] = [
  ['index', ({ index }) => String(index)],
  ['derivation_path', ({ derivationPath }) => derivationPath],
  ['address', ({ address }) => address],
  ['use', ({ use }) => use],
  ['taken_at', ({ takenAt }) => (takenAt === null ? '' : isoTime(takenAt))],
  ['is_watched', ({ isWatched }) => (isWatched ? 'yes' : 'no')],
  ['payment_id', ({ payment }) => payment?.id ?? ''],
  ['crypto', ({ payment }) => payment?.crypto ?? ''],
  ['payment_status', ({ payment }) => payment?.status ?? ''],
  ['payment_exception', ({ payment }) => payment?.exception ?? ''],
];
