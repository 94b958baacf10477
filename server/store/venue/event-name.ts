import { homeGroupOf } from '../../domain/venue/event.ts';

/** SQL for the groups of the checks of `events e`, at its door and at home. */
export const GROUPS_OF_EVENT = `(e.group_id, '${homeGroupOf('')}' || e.group_id)`;

/** SQL for the name of the event that checks its guests in the group of a row; null if it is no event's group. */
export const eventNameOf = (row: string): string =>
  `(SELECT e.name FROM events e
    WHERE e.company_id = ${row}.company_id AND e.partition = ${row}.partition AND e.group_id = ${row}.group_id)`;
