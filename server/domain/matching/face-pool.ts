import type { Scope } from '../scope.ts';

/** Faces that are searched together: those of one event, or the organiser's own of a scope. */
export type FacePool = Scope & { readonly eventId?: string };

/** A test face is a name; in an event's pool it is one of that event. The name comes first, so that it is found by it. */
export const testFaceIn = ({ eventId }: FacePool, name: string): string =>
  eventId === undefined ? name : `${name}\n${eventId}`;

/** The name as it was typed. */
export const testFaceName = (stored: string): string => stored.split('\n', 1)[0] ?? stored;
