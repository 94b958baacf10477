/**
 * Enough of an ID to distinguish people at a glance. Uses the end, because the start of a UUIDv7 is the time.
 */
export const SHORT_ID_CHARS = 8;

export const shortId = (id: string): string => id.slice(-SHORT_ID_CHARS);
