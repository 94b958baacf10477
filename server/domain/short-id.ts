/** Enough of an id to tell people apart by eye; the end, since the beginning of a UUIDv7 is the time. */
export const SHORT_ID_CHARS = 8;

export const shortId = (id: string): string => id.slice(-SHORT_ID_CHARS);
