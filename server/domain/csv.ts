/** Lines of CSV (RFC 4180) that a spreadsheet opens without running anything. */

/**
 * What a spreadsheet may take for the start of a formula. Spreadsheets trim white space and control characters on import,
 * and some read the full-width signs as the plain ones.
 */
const FORMULA = /^(?:[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/** One line with its end. Text that a spreadsheet would run is made text by an apostrophe before it. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
