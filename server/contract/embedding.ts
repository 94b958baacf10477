/**
 * What an embedding page passes in a hosted link's query, and what the server adds to the hosted document (decisions
 * §6, "Embedded" and "Who may embed").
 */

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
  /** The only origin that the page may post messages to. */
  origin: 'gatehouse:embed-origin',
  /** The origin in the link is not on the list: the page offers to open a tab of its own and starts no run. */
  refused: 'gatehouse:embed-refused',
} as const;
