/**
 * The fields of a form that differ from those with which it was opened. Only these are sent, so that saving a form that was
 * open for long keeps what somebody else has changed since.
 */
export const changedFields = <T extends object>(opened: T, now: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(opened[name as keyof T]),
    ),
  ) as Partial<T>;
