/** JSON with one value a line, for reading; any other text as it is. The bytes that were sent, and signed, are on one line. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
