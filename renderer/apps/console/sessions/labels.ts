/** The service's codes in words, and names of sessions, shared by all pages. */
import type { SessionDetail, SessionItem } from '../../../../server/contract/console/sessions.ts';
import type { SessionsMessages } from '../../../../locales/types/sessions.ts';

/** A code's words if there are some; else the code, which may be newer than this page. */
export const inWords = (code: string, known: Readonly<Record<string, string>>): string => known[code] ?? code;

const SHORT_CHARS = 8;

/** Session IDs are long; their ends distinguish them. */
export const shortSession = (id: string): string => id.slice(-SHORT_CHARS);

/** The person of the session, as far as known. */
export const whoIs = (
  session: Pick<SessionItem, 'external_id' | 'identity'>,
  words: SessionsMessages,
): string => session.external_id ?? session.identity?.identifier ?? words.nobody;

export const sessionName = (session: SessionDetail, words: SessionsMessages): string =>
  session.external_id ??
  session.identity?.identifier ??
  words.title({ id: shortSession(session.session_id) });
