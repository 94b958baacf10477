/** Types and limits of a JSON schema in words: `string or null`, `1 to 255 characters`. */
import { messages } from '../messages.ts';
import type { Schema } from './openapi.ts';

const { schema: types, bounds } = messages;

/** The type of a value, including null. */
export function typeWords(schema: Schema): string {
  if (schema.anyOf) return either(schema.anyOf.map(typeWords));
  const named = typesOf(schema);
  if (named.length === 0) return types.anyType;
  const words = named.filter((type) => type !== 'null').map((type) => typeName(type, schema));
  return either([...words, ...(named.includes('null') ? ['null'] : [])]);
}

/** The limits of a value, one phrase each. */
export function boundWords(schema: Schema): string[] {
  const { items, propertyNames, additionalProperties, anyOf = [] } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    ...anyOf.flatMap(boundWords),
    ...(schema.enum
      ? [bounds.choice({ values: schema.enum.map((value) => code(String(value))).join(', ') })]
      : []),
    ...range(schema.minimum, schema.maximum, ({ count }) => String(count)),
    ...range(schema.minLength, schema.maxLength, bounds.characters),
    ...range(schema.minItems, schema.maxItems, bounds.items),
    ...range(undefined, schema.maxProperties, bounds.entries),
    ...limitsOf(items?.properties ? undefined : items, bounds.each),
    ...limitsOf(propertyNames, bounds.names),
    ...limitsOf(values, bounds.values),
    ...(schema.default === undefined
      ? []
      : [bounds.standard({ value: code(JSON.stringify(schema.default)) })]),
  ];
}

const code = (text: string): string => `\`${text}\``;

const either = (words: readonly string[]): string =>
  words.reduce((first, second) => types.either({ first, second }));

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function typeName(type: string, schema: Schema): string {
  if (type === 'string') return formatted(type, schema);
  if (type === 'array')
    return schema.items && typesOf(schema.items).length > 0
      ? types.container({ type, types: plural(schema.items) })
      : type;
  const values = schema.additionalProperties;
  if (type === 'object' && typeof values === 'object' && typesOf(values).length > 0)
    return types.container({ type, types: plural(values) });
  return type;
}

const formatted = (type: string, { format }: Schema): string =>
  format === undefined ? type : `${type} (${format})`;

function plural(schema: Schema): string {
  return either(
    typesOf(schema).map((type) => {
      const name = types.plural({ type });
      return type === 'string' ? formatted(name, schema) : name;
    }),
  );
}

type Amount = (values: { count: number }) => string;

/** Only the last number carries the unit: `1 to 255 characters`. */
function range(least: number | undefined, most: number | undefined, amount: Amount): string[] {
  if (least !== undefined && most !== undefined)
    return [bounds.between({ least, most: amount({ count: most }) })];
  if (least !== undefined) return [bounds.atLeast({ least: amount({ count: least }) })];
  return most === undefined ? [] : [bounds.atMost({ most: amount({ count: most }) })];
}

function limitsOf(schema: Schema | undefined, phrase: (values: { bound: string }) => string): string[] {
  return schema ? boundWords(schema).map((bound) => phrase({ bound })) : [];
}
