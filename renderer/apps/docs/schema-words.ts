/** Types and limits of a JSON schema in words: `string or null`, `1 to 255 characters`. */
import type { Schema } from './openapi.ts';

/** The type of a value, including null. */
export function typeWords(schema: Schema): string {
  const types = typesOf(schema);
  const named = types.filter((type) => type !== 'null').map((type) => typeName(type, schema));
  const words = named.length === 0 ? ['any value'] : named;
  return [...words, ...(types.includes('null') ? ['null'] : [])].join(' or ');
}

/** The limits of a value, one phrase each. */
export function boundWords(schema: Schema): string[] {
  const { items, propertyNames, additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    ...(schema.enum ? [`one of ${schema.enum.map((value) => `\`${String(value)}\``).join(', ')}`] : []),
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minLength, schema.maxLength, 'characters'),
    ...range(schema.minItems, schema.maxItems, 'items'),
    ...range(undefined, schema.maxProperties, 'fields'),
    ...prefixed('each', items?.properties ? undefined : items),
    ...prefixed('names', propertyNames),
    ...prefixed('values', values),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ];
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function typeName(type: string, schema: Schema): string {
  if (type === 'string') return schema.format === undefined ? type : `${type} (${schema.format})`;
  if (type === 'array')
    return schema.items && typesOf(schema.items).length > 0 ? `array of ${plural(schema.items)}` : type;
  const values = schema.additionalProperties;
  if (type === 'object' && typeof values === 'object' && typesOf(values).length > 0)
    return `object of ${plural(values)}`;
  return type;
}

function plural(schema: Schema): string {
  return typesOf(schema)
    .map((type) => `${typeName(type, schema)}s`)
    .join(' or ');
}

function range(least: number | undefined, most: number | undefined, unit = ''): string[] {
  const words = (text: string) => [unit === '' ? text : `${text} ${unit}`];
  if (least !== undefined && most !== undefined) return words(`${least} to ${most}`);
  if (least !== undefined) return words(`at least ${least}`);
  return most === undefined ? [] : words(`at most ${most}`);
}

function prefixed(prefix: string, schema: Schema | undefined): string[] {
  return schema ? boundWords(schema).map((bound) => `${prefix} ${bound}`) : [];
}
