/**
 * Links to the hosted page: a session's (`/verification?vys=…`, of v2 `/connect?session_id=…`), an invite's
 * (`/invite/…`) and a verification's own (`/v/…`). Server and page parse them with this one function: if they
 * disagreed, the server could allow a frame for one run and the page open another.
 */
export type RunLink = { kind: 'session' | 'invite' | 'verification'; id: string };

export const CONNECT_PATH = /^\/connect(\/direct)?\/?$/;
const PATHS: readonly (readonly [RunLink['kind'], RegExp])[] = [
  ['invite', /\/invite\/([^/]+)\/?$/],
  ['verification', /\/v\/([^/]+)\/?$/],
];

export function runLinkOf(url: URL): RunLink {
  for (const [kind, pattern] of PATHS) {
    const id = pattern.exec(url.pathname)?.[1];
    if (id !== undefined) return { kind, id: decoded(id) };
  }
  const field = CONNECT_PATH.test(url.pathname) ? 'session_id' : 'vys';
  return { kind: 'session', id: url.searchParams.get(field) ?? '' };
}

/**
 * A path or fragment may contain a stray percent sign. It is then taken literally, and the server answers that it knows no such
 * link.
 */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// What an embedding page passes in a hosted link's query, and what the server adds to the hosted document
// (decisions §6, "Embedded" and "Who may embed").

export const EMBED_QUERY = {
  embed: 'vy_embed',
  origin: 'vy_origin',
  display: 'vy_display',
  resume: 'vy_resume',
  email: 'vy_email',
  phone: 'vy_phone',
} as const;

/** Names of `<meta>` tags in the hosted document. The page never decides from its address alone. */
export const EMBED_META = {
  /** The only origin that the page may post messages to; `*` if a test is embedded by a page whose origin has no name. */
  origin: 'gatehouse:embed-origin',
  /** The origin in the link is not on the list: the page offers to open a tab of its own and starts no run. */
  refused: 'gatehouse:embed-refused',
} as const;
