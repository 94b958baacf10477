/**
 * A network that answers in the server's place until somebody signs in to it, with a page or a redirect to one. No call of
 * ours returns HTML or redirects.
 */
const NETWORK_AUTHENTICATION_REQUIRED = 511;

export const isPortal = ({ type, ok, status, headers }: Response): boolean =>
  type === 'opaqueredirect' ||
  status === NETWORK_AUTHENTICATION_REQUIRED ||
  (ok && /^text\/html\b/i.test(headers.get('content-type') ?? ''));
