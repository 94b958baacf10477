/** Targets of the command palette: records by ID, searches, and pages for tasks. */
import type { ConsoleMessages } from '../../../../locales/types/console.ts';
import type { ConsolePage } from './pages.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Session IDs and other secrets of at least 128 bits in base64url or hexadecimal. */
const LONG_ID = /^[\w-]{20,128}$/;
/** Pages that open a record by such an ID (`open`), and search by name, ticket or external ID (`q`). */
const OF_RECORDS = ['sessions', 'people'] as const;
export const LEAST_SEARCH_CHARS = 2;

const KEY = /^([a-z]+_(?:live|test)_)[0-9A-Za-z]{16,}([0-9A-Za-z]{4})$/;

/** A pasted key as lists show it. A proxy may log the address of a search, so a secret is never part of it. */
export const withoutSecret = (text: string): string => text.replace(KEY, '$1…$2');

type RecordPage = (typeof OF_RECORDS)[number];
type Jump = { page: RecordPage; path: ConsolePage['path']; text: string };

/** @returns the pages that open a record with this ID, if it looks like one */
export function jumpsFor(typed: string, pages: readonly ConsolePage[]): readonly Jump[] {
  const text = typed.trim();
  return UUID.test(text) || LONG_ID.test(text) ? jumpsTo(text, pages) : [];
}

/** @returns the pages that can search for the text */
export function searchesFor(typed: string, pages: readonly ConsolePage[]): readonly Jump[] {
  const text = typed.trim();
  return text.length < LEAST_SEARCH_CHARS ? [] : jumpsTo(text, pages);
}

/** None for a pasted key, because the text becomes part of the page's address. */
const jumpsTo = (text: string, pages: readonly ConsolePage[]): readonly Jump[] =>
  OF_RECORDS.flatMap((id) => {
    const page = pages.find((each) => each.id === id);
    return page === undefined || KEY.test(text) ? [] : [{ page: id, path: page.path, text }];
  });

type TaskId = keyof ConsoleMessages['palette']['tasks'];
type Task = { id: TaskId; page: ConsolePage['id']; section?: string };

const inSettings = (id: TaskId): Task => ({ id, page: 'settings', section: id });

const TASKS: readonly Task[] = [
  { id: 'pair', page: 'door' },
  { id: 'event', page: 'events' },
  { id: 'erase', page: 'people' },
  { id: 'roll', page: 'keys' },
  ...(['backups', 'network', 'retention', 'matching', 'sms', 'maintenance', 'languages'] as const).map(
    inSettings,
  ),
];

/** Tasks of the pages that the operator may open. */
export const tasksOn = (pages: readonly ConsolePage[]): readonly Task[] =>
  TASKS.filter(({ page }) => pages.some(({ id }) => id === page));
