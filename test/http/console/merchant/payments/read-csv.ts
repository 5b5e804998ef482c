/**
 * Reads RFC 4180: fields separated by commas, records ended by CRLF, quoted fields with doubled
 * quotes. Written from its grammar, not from our writer. Throws for anything outside the grammar.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let place = 0;
  while (place < text.length) {
    const isQuoted = text[place] === '"';
    const end = isQuoted ? endOfQuoted(text, place) : endOfPlain(text, place);
    record.push(isQuoted ? text.slice(place + 1, end - 1).replaceAll('""', '"') : text.slice(place, end));
    if (text[end] === ',') {
      place = end + 1;
      if (place === text.length) throw new Error('the last record has no end');
    } else if (text.startsWith('\r\n', end)) {
      records.push(record);
      record = [];
      place = end + 2;
    } else {
      throw new Error(`neither a comma nor CRLF behind a field at ${end}`);
    }
  }
  return records;
}

// Helpers

function endOfQuoted(text: string, start: number): number {
  let place = start + 1;
  while (place < text.length) {
    if (text[place] !== '"') place += 1;
    else if (text[place + 1] === '"') place += 2;
    else return place + 1;
  }
  throw new Error('a quoted field has no end');
}

function endOfPlain(text: string, start: number): number {
  let place = start;
  while (place < text.length && !',\r\n'.includes(text[place] ?? '')) {
    if (text[place] === '"') throw new Error('a quote within a field that is not quoted');
    place += 1;
  }
  return place;
}
