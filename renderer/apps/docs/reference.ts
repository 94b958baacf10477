/** Turns the OpenAPI document into the rows that the reference shows. Pure: no page, no network. */
import { jsonSchema, type OpenApiDocument, type OpenApiOperation, type Schema } from './openapi.ts';
import { boundWords, typeWords } from './schema-words.ts';

/** One line of a table of fields. */
export type FieldRow = {
  /** The whole way to it, `config.is_test` or `items[].origin`; unique within its table. */
  path: string;
  name: string;
  /** 0 at the top. */
  depth: number;
  type: string;
  bounds: readonly string[];
  required: boolean;
  deprecated: boolean;
  /** Which key alone may send it. */
  keys: 'secret' | 'test' | null;
  description: string;
};

export type ParameterRow = FieldRow & { place: 'path' | 'query' };

export type ErrorRow = {
  status: number;
  /** Values of `detail`; none where the body lists what does not fit. */
  codes: readonly string[];
  /** Set where it says more than its codes. */
  description: string | null;
};

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Which key it takes, in the document's words. */
  key: string;
  deprecated: boolean;
  parameters: readonly ParameterRow[];
  /** Null where it takes no body. */
  request: readonly FieldRow[] | null;
  response: readonly FieldRow[];
  errors: readonly ErrorRow[];
};

export type Reference = {
  title: string;
  version: string;
  description: string;
  baseUrl: string;
  operations: readonly Operation[];
  reasons: readonly string[];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const KEY_LINE = /\n\nKey: ([^\n]+)\.$/;
const CODE = /`([^`]+)`/g;
const CODES_ONLY = /^`[^`]+`(, `[^`]+`)*$/;

/** @param pageOrigin stands in where the document names no server */
export function readReference(document: OpenApiDocument, pageOrigin: string): Reference {
  return {
    title: document.info.title,
    version: document.info.version,
    description: document.info.description ?? '',
    baseUrl: document.servers?.[0]?.url ?? pageOrigin,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => readOperation(method, path, operation)),
    ),
    reasons: document['x-reasons'] ?? [],
  };
}

/** Rows of an object's fields in the document's order, nested fields under theirs. */
export function fieldRows(schema: Schema, parent = '', depth = 0): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = fieldRow(name, field, schema.required?.includes(name) ?? false, parent, depth);
    const nested = field.items?.properties ? field.items : field;
    const inside = nested === field ? `${row.path}.` : `${row.path}[].`;
    return [row, ...fieldRows(nested, inside, depth + 1)];
  });
}

/** Names of the deprecated request and response fields, each once. */
export function deprecatedFields({ operations }: Reference): string[] {
  const rows = operations.flatMap(({ request, response }) => [...(request ?? []), ...response]);
  return [...new Set(rows.filter((row) => row.deprecated).map((row) => row.path))];
}

function readOperation(method: string, path: string, operation: OpenApiOperation): Operation {
  const words = operation.description ?? '';
  const body = jsonSchema(operation.requestBody);
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? operation.operationId,
    description: words.replace(KEY_LINE, ''),
    key: KEY_LINE.exec(words)?.[1] ?? 'any',
    deprecated: operation.deprecated ?? false,
    parameters: (operation.parameters ?? []).flatMap((parameter) => {
      const { in: place, name, required = false, description, schema = {} } = parameter;
      if (place !== 'path' && place !== 'query') return [];
      const field = description === undefined ? schema : { ...schema, description };
      return [{ ...fieldRow(name, field, required), place }];
    }),
    request: body ? fieldRows(body) : null,
    response: fieldRows(jsonSchema(answer) ?? {}),
    errors: Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => errorRow(Number(status), description)),
  };
}

function fieldRow(name: string, schema: Schema, required: boolean, parent = '', depth = 0): FieldRow {
  const { keys, isDeprecated, description } = readLabels(schema.description ?? '');
  return {
    path: parent + name,
    name,
    depth,
    type: typeWords(schema),
    bounds: boundWords(schema),
    // What has a default need not be sent, though the checked request always carries it.
    required: required && schema.default === undefined,
    deprecated: isDeprecated || (schema.deprecated ?? false),
    keys,
    description,
  };
}

/** Descriptions open with what a field is bound to: `Secret keys. Deprecated. …`. */
function readLabels(words: string): {
  keys: 'secret' | 'test' | null;
  isDeprecated: boolean;
  description: string;
} {
  const match = /^(?:(Secret|Test) keys\. ?)?(Deprecated\. ?)?(.*)$/s.exec(words);
  const [, keys, deprecated, description = ''] = match ?? [];
  return {
    keys: keys === 'Secret' ? 'secret' : keys === 'Test' ? 'test' : null,
    isDeprecated: deprecated !== undefined,
    description,
  };
}

function errorRow(status: number, description: string): ErrorRow {
  // `Retry-After` and the like stand in code type as well: a code is a word without capitals, or all capitals.
  const codes = [...description.matchAll(CODE)]
    .map(([, code = '']) => code)
    .filter((code) => !/^[A-Z][a-z]/.test(code));
  return { status, codes, description: CODES_ONLY.test(description) ? null : description };
}
