/** How uploaded CSV may be written, for the pages that show and change what was found. */
export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

export const CSV_SEPARATORS = [',', ';', '\t', '|'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

export type CsvProblem =
  | 'empty'
  | 'no_rows'
  | 'not_text'
  | 'spreadsheet'
  | 'open_quote'
  | 'too_many_rows'
  | 'too_many_columns';
