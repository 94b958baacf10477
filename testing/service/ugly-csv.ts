/** Ticket lists as organisers' exports look, right and wrong, with what a reader should find in each. */
import type { CsvEncoding, CsvProblem, CsvSeparator } from '../../server/contract/console/csv.ts';

type Found = {
  encoding: CsvEncoding;
  separator: CsvSeparator;
  header: string[];
  rows: string[][];
  /** Of each row, if not 2, 3, … */
  lines?: number[];
  longLines?: number[];
};
export type UglyFile = {
  bytes: Uint8Array;
  found: Found | { problem: CsvProblem; line?: number; max?: number };
};

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
/** The signs of Windows-1252 that differ from Latin 1, as far as the files have them. */
const windows = (text: string) =>
  Buffer.from(text.replaceAll('€', '\u0080').replaceAll('„', '\u0084').replaceAll('“', '\u0093'), 'latin1');

export const MAX_UGLY_ROWS = 200_000;

const HEADER = ['Code', 'Name', 'Ticket'];
const ROWS = [
  ['A1', 'Zoë Müller', 'Full'],
  ['A2', 'Łukasz', 'Day'],
];
const PLAIN = { encoding: 'utf-8', separator: ',', header: HEADER, rows: ROWS } as const satisfies Found;

export const UGLY_FILES: Readonly<Record<string, UglyFile>> = {
  'plain commas': {
    bytes: utf8('Code,Name,Ticket\nA1,Zoë Müller,Full\nA2,Łukasz,Day\n'),
    found: PLAIN,
  },
  'UTF-8 with a byte order mark, as Excel saves it': {
    bytes: utf8('\ufeffCode,Name,Ticket\r\nA1,Zoë Müller,Full\r\nA2,Łukasz,Day\r\n'),
    found: PLAIN,
  },
  'Excel in German': {
    bytes: windows('Code;Name;Preis\r\nA1;Jürgen Groß „Jo“;12,50 €\r\nA2;Ida, geb. Öz;0,00 €\r\n'),
    found: {
      encoding: 'windows-1252',
      separator: ';',
      header: ['Code', 'Name', 'Preis'],
      rows: [
        ['A1', 'Jürgen Groß „Jo“', '12,50 €'],
        ['A2', 'Ida, geb. Öz', '0,00 €'],
      ],
    },
  },
  'Unicode text of Excel: UTF-16 with tabs': {
    bytes: utf16le('\ufeffCode\tName\tTicket\r\nA1\tZoë Müller\tFull\r\nA2\tŁukasz\tDay\r\n'),
    found: { ...PLAIN, encoding: 'utf-16le', separator: '\t' },
  },
  'UTF-16 with the high byte first': {
    bytes: utf16be('\ufeffCode;Name;Ticket\nA1;Zoë Müller;Full\nA2;Łukasz;Day'),
    found: { ...PLAIN, encoding: 'utf-16be', separator: ';' },
  },
  'UTF-16 without a mark': {
    bytes: utf16le('Code,Name,Ticket\nA1,Zoë Müller,Full\nA2,Łukasz,Day\n'),
    found: { ...PLAIN, encoding: 'utf-16le' },
  },
  'a line that names the separator': {
    bytes: utf8('sep=|\r\nCode|Name|Ticket\r\nA1|Zoë Müller|Full\r\nA2|Łukasz|Day\r\n'),
    found: { ...PLAIN, separator: '|', lines: [3, 4] },
  },
  'line ends of an old Macintosh': {
    bytes: utf8('Code,Name,Ticket\rA1,Zoë Müller,Full\rA2,Łukasz,Day\r'),
    found: PLAIN,
  },
  'quotes, separators and line breaks inside quotes': {
    bytes: utf8('Code,Name,Ticket\n"A1","Zoë ""Zo"" Müller","Full,\nwith dinner"\n"A2",Łukasz,Day\n'),
    found: {
      ...PLAIN,
      rows: [
        ['A1', 'Zoë "Zo" Müller', 'Full,\nwith dinner'],
        ['A2', 'Łukasz', 'Day'],
      ],
      lines: [2, 4],
    },
  },
  'a quote that is a letter': {
    bytes: utf8('Code,Name,Ticket\nA1,Big "Al",6" pizza\n'),
    found: { ...PLAIN, rows: [['A1', 'Big "Al"', '6" pizza']] },
  },
  'codes with zeros in front, kept from the spreadsheet': {
    bytes: utf8('Code,Name,Ticket\n"=""00123""",Zoë,Full\n="00124",Łukasz,Day\n'),
    found: {
      ...PLAIN,
      rows: [
        ['00123', 'Zoë', 'Full'],
        ['00124', 'Łukasz', 'Day'],
      ],
    },
  },
  'codes that begin with an equals sign or a space': {
    bytes: utf8('Code,Name,Ticket\n=4g3+5C==,Zoë,Full\n" A2 ",Łukasz,Day\n'),
    found: {
      ...PLAIN,
      rows: [
        ['=4g3+5C==', 'Zoë', 'Full'],
        [' A2 ', 'Łukasz', 'Day'],
      ],
    },
  },
  'empty lines and lines of separators between the rows': {
    bytes: utf8('Code,Name,Ticket,,\n\nA1,Zoë Müller,Full,,\n,,,,\n   \nA2,Łukasz,Day,,\n,,,,\n'),
    found: { ...PLAIN, lines: [3, 6] },
  },
  'rows that are shorter or longer than the header': {
    bytes: utf8('Code,Name,Ticket\nA1\nA2,Łukasz,Day,late,"paid, cash"\nA3,Ida,Day\n'),
    found: {
      ...PLAIN,
      rows: [
        ['A1', '', ''],
        ['A3', 'Ida', 'Day'],
      ],
      lines: [2, 4],
      longLines: [3],
    },
  },
  'one column': {
    bytes: utf8('Public ID\r\nA-1234567\r\nA-7654321\r\n'),
    found: { ...PLAIN, header: ['Public ID'], rows: [['A-1234567'], ['A-7654321']] },
  },
  'a title with commas in a file of semicolons': {
    bytes: utf8('Code;Name;Order, date, time\nA1;Zoë, Ida, Ben;1\nA2;Łukasz;2\n'),
    found: {
      ...PLAIN,
      separator: ';',
      header: ['Code', 'Name', 'Order, date, time'],
      rows: [
        ['A1', 'Zoë, Ida, Ben', '1'],
        ['A2', 'Łukasz', '2'],
      ],
    },
  },
  'an empty file': { bytes: utf8(''), found: { problem: 'empty' } },
  'a mark and white space': { bytes: utf8('\ufeff\r\n  \r\n'), found: { problem: 'empty' } },
  'column names alone': { bytes: utf8('Code,Name,Ticket\n\n'), found: { problem: 'no_rows' } },
  'a spreadsheet': {
    bytes: Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), utf8('xl/workbook.xml')]),
    found: { problem: 'spreadsheet' },
  },
  'an older spreadsheet': {
    bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    found: { problem: 'spreadsheet' },
  },
  'a picture': {
    bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 13, 10, 0]),
    found: { problem: 'not_text' },
  },
  'a quote that is never closed': {
    bytes: utf8('Code,Name,Ticket\nA1,Zoë,Full\nA2,"Łukasz,Day\nA3,Ida,Day\n'),
    found: { problem: 'open_quote', line: 3 },
  },
  'too many columns': {
    bytes: utf8(`${Array.from({ length: 300 }, (_, at) => `c${at}`).join(',')}\n1\n`),
    found: { problem: 'too_many_columns', max: 200 },
  },
  'a million rows': {
    bytes: utf8(`Code,Name,Ticket\n${'A1,Zoë,Full\n'.repeat(1_000_000)}`),
    found: { problem: 'too_many_rows', max: MAX_UGLY_ROWS },
  },
};
