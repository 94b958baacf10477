/** The URL that a text spells, or null. `URL.parse` does the same, but is missing before iOS 18 and Chrome 126. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
