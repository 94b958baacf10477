/** Names of people as every page writes them. */
import type { PersonItem } from '../../../../server/contract/console/people.ts';
import type { PeopleMessages } from '../../../../locales/types/people.ts';

export const personName = (
  { name, short_id }: Pick<PersonItem, 'name' | 'short_id'>,
  words: PeopleMessages,
): string => name ?? words.nameless({ shortId: short_id });

export const accountOf = ({ identity, external_id }: PersonItem): string | null =>
  external_id ?? identity?.identifier ?? null;
