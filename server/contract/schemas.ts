import { Type } from 'typebox';

/** One of the given strings. */
export const oneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** A string or null. */
export const nullable = <T extends string = string>(description?: string, options: object = {}) =>
  Type.Unsafe<T | null>({
    type: ['string', 'null'],
    ...(description !== undefined && { description }),
    ...options,
  });

export const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** Like `nullable`, for a request. */
export const nullableText = (maxLength: number, description?: string) => nullable(description, { maxLength });

/** The fields that a company keeps about a person. */
export const Metadata = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  additionalProperties: true,
});
