/** The name in a `Host` header, lower case, without port and trailing dot; null if it is invalid. */
export function hostNameOf(header: string | undefined): string | null {
  const url = `http://${header ?? ''}`;
  if (header === undefined || header === '' || !URL.canParse(url)) return null;
  const { hostname, username, password } = new URL(url);
  if (username !== '' || password !== '' || header.includes('@')) return null;
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
