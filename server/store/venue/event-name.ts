/** SQL for the name of the event that checks its guests in the group of a row; null if it is no event's group. */
export const eventNameOf = (row: string): string =>
  `(SELECT e.name FROM events e
    WHERE e.company_id = ${row}.company_id AND e.partition = ${row}.partition AND e.group_id = ${row}.group_id)`;
