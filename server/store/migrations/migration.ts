/** One numbered step of the schema. A version once released is never edited, only followed. */
export type Migration = { version: number; name: string; sql: string };
