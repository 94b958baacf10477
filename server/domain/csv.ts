/** Lines of CSV (RFC 4180) that are safe to open in a spreadsheet. */

/**
 * What a spreadsheet may read as the start of a formula. Spreadsheets trim white space and control characters on
 * import, and some treat full-width signs as plain ones.
 */
const FORMULA = /^(?:[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/** One line with its line end. An apostrophe turns text that a spreadsheet would run into plain text. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The first line of a file. The mark in front tells spreadsheets that the file is UTF-8. */
export const csvHead = (cells: readonly string[]): string => `\uFEFF${csvLine(cells)}`;

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
