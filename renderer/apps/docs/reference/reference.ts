/** Turns the OpenAPI document into the rows that the reference shows. Pure: no page, no network. */
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
  name: string;
  /** 0 at the top. */
  depth: number;
  /** Its type and limits. */
  schema: Schema;
  required: boolean;
  deprecated: boolean;
  /** The only type of key that may send it. */
  keys: 'secret' | 'test' | null;
  description: string;
};

export type ParameterRow = FieldRow & { place: 'path' | 'query' };

export type ErrorRow = {
  status: number;
  /** Name of the status. */
  name: string;
  codes: readonly CodeMeaning[];
  /** Additional text of the body; null for most. */
  note: string | null;
};

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** The key that it accepts, in the document's words. */
  key: string;
  deprecated: boolean;
  parameters: readonly ParameterRow[];
  /** Null without a body. */
  request: { fields: readonly FieldRow[]; example: string } | null;
  response: { description: string; fields: readonly FieldRow[]; example: string };
  errors: readonly ErrorRow[];
};

export type Reference = {
  title: string;
  version: string;
  description: string;
  baseUrl: string;
  operations: readonly Operation[];
  reasons: readonly { code: string; meaning: string }[];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @param pageOrigin used if the document names no server */
export function readReference(document: OpenApiDocument, pageOrigin: string): Reference {
  return {
    title: document.info.title,
    version: document.info.version,
    description: document.info.description ?? '',
    baseUrl: document.servers?.[0]?.url ?? pageOrigin,
    operations: Object.entries(withoutReferences(document).paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => readOperation(method, path, operation)),
    ),
    reasons: document['x-reasons'] ?? [],
  };
}

/** Rows of the fields in the order of the document, each followed by its nested fields. */
export function fieldRows(schema: Schema, parent = '', depth = 0): FieldRow[] {
  const list = schema.anyOf?.find((one) => one.items?.properties);
  if (list) return fieldRows(list, parent, depth);
  if (schema.items?.properties) return fieldRows(schema.items, `${parent}[].`, depth);
  const inside = parent === '' || parent.endsWith('.') ? parent : `${parent}.`;
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = fieldRow(name, field, schema.required?.includes(name) ?? false, inside, depth);
    return [row, ...fieldRows(field, row.path, depth + 1)];
  });
}

/** Names of the deprecated request and response fields, each once. */
export function deprecatedFields({ operations }: Reference): string[] {
  const rows = operations.flatMap(({ request, response }) => [
    ...(request?.fields ?? []),
    ...response.fields,
  ]);
  return [...new Set(rows.filter((row) => row.deprecated).map((row) => row.path))];
}

function readOperation(method: string, path: string, operation: OpenApiOperation): Operation {
  const request = jsonOf(operation.requestBody);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: operation.operationId,
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
    request: request
      ? {
          fields: fieldRows(request.schema ?? {}),
          example: JSON.stringify(request.example ?? {}, null, 2),
        }
      : null,
    response: {
      description: success?.description ?? '',
      fields: fieldRows(jsonOf(success)?.schema ?? {}),
      example: JSON.stringify(jsonOf(success)?.example, null, 2),
    },
    errors: Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description, 'x-codes': codes = [], content }]) => ({
        status: Number(status),
        name: description,
        codes,
        note: noteOf(jsonOf({ content })?.schema),
      })),
  };
}

function fieldRow(name: string, schema: Schema, required: boolean, parent = '', depth = 0): FieldRow {
  return {
    path: parent + name,
    name,
    depth,
    schema,
    // The document requires fields with a default, because a checked request always has them.
    required: required && schema.default === undefined,
    deprecated: schema.deprecated ?? false,
    keys: schema['x-key'] ?? null,
    description: schema.description ?? '',
  };
}

function noteOf(schema: Schema | undefined): string | null {
  const described = [schema, ...(schema?.anyOf ?? [])].find((one) => one?.description !== undefined);
  return described?.description ?? null;
}
