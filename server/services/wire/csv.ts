/** CSV that people upload, as spreadsheets and ticket shops write it: its encoding and separator are found, and can be chosen. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import {
  CSV_SEPARATORS,
  type CsvEncoding,
  type CsvProblem,
  type CsvSeparator,
} from '../../contract/console/csv.ts';
import { Refusal } from '../../refusals/refusal.ts';

export type CsvRow = {
  /** Where the row begins in the file; the first line is 1. */
  line: number;
  /** As many as the header has, as they are written. */
  cells: string[];
};

export type CsvTable = {
  encoding: CsvEncoding;
  separator: CsvSeparator;
  header: string[];
  rows: CsvRow[];
  /** Lines with more cells than the header, which are left out. */
  longLines: number[];
};

type CsvOptions = {
  /** Replaces what is found. */
  encoding?: CsvEncoding;
  separator?: CsvSeparator;
  /** Without the header. A file with more is refused as a whole. */
  maxRows: number;
};

const MAX_COLUMNS = 200;
/** A row beyond this has a quote that is never closed. */
const MAX_ROW_BYTES = 100_000;
/** Parsed without a pause. */
const SLICE_CHARS = 64 * 1024;
/** How much of the file tells which encoding and separator it has. */
const SAMPLE_BYTES = 64 * 1024;

/** @throws Refusal `csv_refused` with the reason */
export async function readCsv(bytes: Uint8Array, options: CsvOptions): Promise<CsvTable> {
  const encoding = options.encoding ?? encodingOf(bytes);
  const { text, firstLine, named } = withoutSeparatorLine(decode(bytes, encoding));
  if (text.trim() === '') throw refused('empty');
  const separator = options.separator ?? named ?? separatorOf(text.slice(0, SAMPLE_BYTES));
  const [header, ...rest] = await parsed(text, separator, options.maxRows);
  if (!header) throw refused('empty');
  const names = trimmedEnd(header.cells).map((name) => name.trim());
  if (names.length > MAX_COLUMNS) throw refused('too_many_columns', { max: MAX_COLUMNS });
  if (rest.length === 0) throw refused('no_rows');
  const longLines: number[] = [];
  const rows = rest.flatMap(({ line, cells }) => {
    const row = { line: line + firstLine, cells: trimmedEnd(cells) };
    if (row.cells.length > names.length) {
      longLines.push(row.line);
      return [];
    }
    return [{ ...row, cells: names.map((_, column) => unwrapped(row.cells[column] ?? '')) }];
  });
  return { encoding, separator, header: names, rows, longLines };
}

const refused = (problem: CsvProblem, { line = 0, max = 0 }: { line?: number; max?: number } = {}) =>
  new Refusal('csv_refused', { args: { problem, line, max } });

async function parsed(text: string, separator: CsvSeparator, maxRows: number): Promise<CsvRow[]> {
  const parser = parse({
    delimiter: separator,
    info: true,
    relax_column_count: true,
    // A quote within a cell that doesn't begin with one is a letter: 6" pizza.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const rows: CsvRow[] = [];
  try {
    for await (const { record, info } of Readable.from(slices(text)).pipe(parser) as AsyncIterable<{
      record: string[];
      info: Info;
    }>) {
      if (rows.length > maxRows) throw refused('too_many_rows', { max: maxRows });
      rows.push({ line: info.lines - breaksIn(record), cells: record });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused('open_quote', { line: (rows.at(-1)?.line ?? 0) + 1 });
  }
  return rows;
}

/** Gives others their turn between two slices. */
async function* slices(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    yield text.slice(at, at + SLICE_CHARS);
    await setImmediate();
  }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

function trimmedEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

/** Shops write `="00123"` so that spreadsheets keep the zeros. */
const unwrapped = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;

/** Excel's own line in front of the header names the separator. */
function withoutSeparatorLine(text: string): { text: string; firstLine: number; named?: CsvSeparator } {
  const [line, given] = /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(text) ?? [];
  if (line === undefined) return { text, firstLine: 0 };
  const named = CSV_SEPARATORS.find((separator) => separator === given);
  return { text: text.slice(line.length), firstLine: 1, ...(named && { named }) };
}

/** The separator that the most lines have equally often, outside quotes. */
function separatorOf(sample: string): CsvSeparator {
  const lines = sample
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const scores = CSV_SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1);
    const [inHeader = 0] = counts;
    return inHeader === 0 ? 0 : counts.filter((count) => count === inHeader).length * 1_000 + inHeader;
  });
  return CSV_SEPARATORS[scores.indexOf(Math.max(...scores))] ?? ',';
}

function encodingOf(bytes: Uint8Array): CsvEncoding {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  // Of a zip archive, which a spreadsheet's own format is.
  if (startsWith(sample, [0x50, 0x4b, 0x03, 0x04]) || startsWith(sample, [0xd0, 0xcf, 0x11, 0xe0]))
    throw refused('spreadsheet');
  if (startsWith(sample, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(sample, [0xfe, 0xff])) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 4 && even < odd / 4) return 'utf-16le';
  if (even > sample.length / 4 && odd < even / 4) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

const startsWith = (bytes: Uint8Array, mark: readonly number[]) =>
  mark.every((byte, at) => bytes[at] === byte);

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The mark of the encoding is left out. */
function decode(bytes: Uint8Array, encoding: CsvEncoding): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) throw refused('not_text');
  return text;
}
