/** What the pages of a tab keep from one to the next, until it is closed. */

export function recall(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    // The browser keeps nothing for this site.
    return '';
  }
}

export function remember(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Full or not allowed: the next page begins without it.
  }
}
