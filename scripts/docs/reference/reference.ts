/** Turns the OpenAPI document into the rows that the reference shows. */
import {
  type CodeMeaning,
  jsonOf,
  type OpenApiDocument,
  type OpenApiOperation,
  type Schema,
  withoutReferences,
} from './openapi.ts';

/** One line of a table of fields. */
export type FieldRow = {
  /** Full path, `config.is_test` or `items[].origin`; unique within its table. */
  path: string;
  schema: Schema;
  required: boolean;
  deprecated: boolean;
  /** The only type of key that may send it. */
  keys: 'secret' | 'test' | null;
  description: string;
};

export type ParameterRow = FieldRow & { place: 'path' | 'query' };

type ErrorRow = {
  status: number;
  /** Name of the status. */
  name: string;
  codes: readonly CodeMeaning[];
  /** Additional text of the body; null for most. */
  note: string | null;
};

/** An operation of the service, or a call that it makes: a webhook. */
export type Operation = {
  id: string;
  generation: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** The key that it accepts, in the document's words. */
  key: string;
  deprecated: boolean;
  parameters: readonly ParameterRow[];
  /** Null without a body. */
  request: { fields: readonly FieldRow[]; example: unknown } | null;
  response: { description: string; fields: readonly FieldRow[]; example: unknown };
  errors: readonly ErrorRow[];
};

export type Reference = {
  operations: readonly Operation[];
  webhooks: readonly Operation[];
  reasons: readonly { code: string; meaning: string }[];
};

export function readReference(document: OpenApiDocument): Reference {
  const { paths, webhooks = {}, components } = document;
  const read = (all: OpenApiDocument['paths']) =>
    Object.entries(withoutReferences(all, components?.schemas)).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation(method, path, operation)),
    );
  return {
    operations: read(paths),
    webhooks: read(webhooks),
    reasons: document['x-reasons'] ?? [],
  };
}

/** Rows of the fields in the order of the document, each followed by its nested fields. */
export function fieldRows(schema: Schema, parent = ''): FieldRow[] {
  const list = schema.anyOf?.find((one) => one.items?.properties);
  if (list) return fieldRows(list, parent);
  if (schema.items?.properties) return fieldRows(schema.items, `${parent}[].`);
  const inside = parent === '' || parent.endsWith('.') ? parent : `${parent}.`;
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = fieldRow(inside + name, field, schema.required?.includes(name) ?? false);
    return [row, ...fieldRows(field, row.path)];
  });
}

function readOperation(method: string, path: string, operation: OpenApiOperation): Operation {
  const request = jsonOf(operation.requestBody);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: operation.operationId,
    generation: operation.tags?.[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? operation.operationId,
    description: operation.description ?? '',
    key: operation['x-key'] ?? 'any',
    deprecated: operation.deprecated ?? false,
    parameters: (operation.parameters ?? []).flatMap((parameter) => {
      const { in: place, name, required = false, description, schema = {} } = parameter;
      if (place !== 'path' && place !== 'query') return [];
      const field = description === undefined ? schema : { ...schema, description };
      return [{ ...fieldRow(name, field, required), place }];
    }),
    request: request ? { fields: fieldRows(request.schema ?? {}), example: request.example ?? {} } : null,
    response: {
      description: success?.description ?? '',
      fields: fieldRows(jsonOf(success)?.schema ?? {}),
      example: jsonOf(success)?.example,
    },
    errors: Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description, 'x-codes': codes = [], content = {} }]) => ({
        status: Number(status),
        name: description,
        codes,
        note: noteOf(jsonOf({ content })?.schema),
      })),
  };
}

const fieldRow = (path: string, schema: Schema, required: boolean): FieldRow => ({
  path,
  schema,
  // The document requires fields with a default, because a checked request always has them.
  required: required && schema.default === undefined,
  deprecated: schema.deprecated ?? false,
  keys: schema['x-key'] ?? null,
  description: schema.description ?? '',
});

const noteOf = (schema: Schema | undefined): string | null =>
  [schema, ...(schema?.anyOf ?? [])].find((one) => one?.description !== undefined)?.description ?? null;
