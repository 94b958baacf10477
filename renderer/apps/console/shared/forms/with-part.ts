/** A value with one of its parts replaced. Null stands for an option that is not there. */
export function withPart(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const { [name]: part, ...others } = (whole ?? {}) as Record<string, unknown>;
  const next = withPart(part, rest, value);
  return next === null ? others : { ...others, [name]: next };
}
