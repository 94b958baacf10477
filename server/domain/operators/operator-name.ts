/**
 * The name without case, extra spaces and look-alike characters: "Ada  Lovelace" and "ada lovelace" are one
 * operator.
 */
export function operatorNameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
