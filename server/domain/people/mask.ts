/** Credentials for eyes that need to recognise them, not to know them. */
import type { Identity } from '../identity.ts';
import { maskNumber } from '../phone/code.ts';

/** "ana@example.com" is "a•••@example.com"; of a number the end stays. */
export function maskIdentity({ provider, identifier }: Identity): string {
  if (provider === 'phone') return maskNumber(identifier);
  const at = identifier.lastIndexOf('@');
  return at > 0 ? `${identifier.slice(0, 1)}•••${identifier.slice(at)}` : `${identifier.slice(0, 1)}•••`;
}
