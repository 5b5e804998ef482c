/**
 * Reads RFC 4180: fields separated by commas, records ended by CRLF, quoted fields with doubled
 * quotes. Written from its grammar, not from our writer. Throws for anything outside the grammar.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let index = 0;
  while (index < text.length) {
    const isQuoted = text[index] === '"';
    const end = isQuoted ? endOfQuoted(text, index) : endOfPlain(text, index);
    record.push(isQuoted ? text.slice(index + 1, end - 1).replaceAll('""', '"') : text.slice(index, end));
    if (text[end] === ',') {
      index = end + 1;
      if (index === text.length) throw new Error('the last record has no end');
    } else if (text.startsWith('\r\n', end)) {
      records.push(record);
      record = [];
      index = end + 2;
    } else {
      throw new Error(`neither a comma nor CRLF behind a field at ${end}`);
    }
  }
  return records;
}

// Helpers

function endOfQuoted(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    if (text[index] !== '"') index += 1;
    else if (text[index + 1] === '"') index += 2;
    else return index + 1;
  }
  throw new Error('a quoted field has no end');
}

function endOfPlain(text: string, start: number): number {
  let index = start;
  while (index < text.length && !',\r\n'.includes(text[index] ?? '')) {
    if (text[index] === '"') throw new Error('a quote within a field that is not quoted');
    index += 1;
  }
  return index;
}
