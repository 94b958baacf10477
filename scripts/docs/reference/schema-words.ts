/** Types and limits of a JSON schema in words: `string or null`, `1 to 255 characters`. */
import type { Schema } from './openapi.ts';

/** The type of a value, including null. */
export function typeWords(schema: Schema): string {
  if (schema.anyOf) return either(schema.anyOf.map(typeWords));
  const named = typesOf(schema);
  if (named.length === 0) return 'any value';
  const words = named.filter((type) => type !== 'null').map((type) => typeName(type, schema));
  return either([...words, ...(named.includes('null') ? ['null'] : [])]);
}

/** The limits of a value, one phrase each. */
export function boundWords(schema: Schema): string[] {
  const { items, propertyNames, additionalProperties, anyOf = [] } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const each = (inner: Schema | undefined, word: string) =>
    inner ? boundWords(inner).map((bound) => `${word} ${bound}`) : [];
  return [
    ...anyOf.flatMap(boundWords),
    ...(schema.enum ? [`one of ${schema.enum.map((value) => code(String(value))).join(', ')}`] : []),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, 'character'),
    ...range(schema.minItems, schema.maxItems, 'item'),
    ...range(undefined, schema.maxProperties, 'field'),
    ...each(items?.properties ? undefined : items, 'each'),
    ...each(propertyNames, 'names'),
    ...each(values, 'values'),
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
  ];
}

const code = (text: string): string => `\`${text}\``;
const either = (words: readonly string[]): string => words.join(' or ');

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function typeName(type: string, schema: Schema): string {
  if (type === 'string') return formatted(type, schema);
  const { items, additionalProperties: values } = schema;
  const inner = type === 'array' ? items : type === 'object' && typeof values === 'object' ? values : {};
  return inner === undefined || typesOf(inner).length === 0 ? type : `${type} of ${plural(inner)}`;
}

const formatted = (type: string, { format }: Schema): string =>
  format === undefined ? type : `${type} (${format})`;

const plural = (schema: Schema): string =>
  either(typesOf(schema).map((type) => (type === 'string' ? formatted('strings', schema) : `${type}s`)));

/** Only the last number carries the unit: `1 to 255 characters`. */
function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const amount = (count: number) => (unit === '' ? `${count}` : `${count} ${unit}${count === 1 ? '' : 's'}`);
  if (least !== undefined && most !== undefined) return [`${least} to ${amount(most)}`];
  if (least !== undefined) return [`at least ${amount(least)}`];
  return most === undefined ? [] : [`at most ${amount(most)}`];
}
