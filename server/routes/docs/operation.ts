/** One operation of the document: its requests and its replies. */
import { STATUS_CODES } from 'node:http';
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { FailureBody } from '../../contract/connect.ts';
import { ERROR_CODES, type ErrorCode, type Operation } from '../../contract/operations.ts';
import { ErrorBody, ValidationErrorBody } from '../../contract/v3.ts';
import { V1_OPERATIONS, V1_WEBHOOK_OPERATIONS } from '../../contract/v1-operations.ts';
import { V2_OPERATIONS } from '../../contract/v2-operations.ts';
import { V3_CODE_OPERATIONS } from '../../contract/v3-codes.ts';
import { V3_OPERATIONS } from '../../contract/v3-operations.ts';
import { V3_WEBHOOK_OPERATIONS } from '../../contract/v3-webhook-operations.ts';

type Fields = Record<
  string,
  TSchema & {
    type?: string;
    description?: string;
    enum?: unknown[];
    items?: TSchema;
    additionalProperties?: unknown;
    default?: unknown;
  }
>;
type ObjectSchema = TSchema & { properties?: Fields; required?: string[] };

/** The route's schema as the document shows it. Takes `OperationKey` as the extension `x-key`. */
export function describeOperation(schema: FastifySchema, operation: Operation): FastifySchema {
  const { generation, operationId, summary, description, key, deprecated, success, reply } = operation;
  const body = schema.body as ObjectSchema | undefined;
  const query = schema.querystring as ObjectSchema | undefined;
  const responses = schema.response as Record<string, TSchema> | undefined;
  const described: FastifySchema & Record<string, unknown> = {
    ...schema,
    ...(body && { body: sentBody(body, operation) }),
    ...(query && { querystring: withoutDefaults(query) }),
    ...(operation.repeatable && { headers: REPEATABLE }),
    ...(responses && {
      response: { 200: { ...responses[200], 'x-response-description': success, examples: [reply] } },
    }),
    tags: [generation],
    operationId,
    summary,
    description,
    'x-key': key,
    security: security(key, generation),
    ...(deprecated && { deprecated }),
  };
  return described;
}

const REPEATABLE = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 257,
      description:
        'A text of your own for this one effect, such as a UUID, quoted or bare. If you repeat the call with it within 24 ' +
        'hours, nothing happens twice: you get the first reply again, with `Idempotent-Replayed: true`.',
    },
  },
};

const REPEATABLE_ERRORS: Readonly<Record<'v3' | 'connect', Readonly<Record<number, readonly ErrorCode[]>>>> =
  {
    v3: {
      400: ['invalid_idempotency_key'],
      409: ['idempotency_key_in_use'],
      422: ['idempotency_key_reused'],
    },
    connect: { 400: ['INVALID_REQUEST'], 409: ['IDEMPOTENCY_KEY_IN_USE'], 422: ['IDEMPOTENCY_KEY_REUSED'] },
  };

/** The error codes of an operation by status, with those that every operation of its generation has. */
function codesOf(
  operation: Operation,
  { hasBody, validates }: { hasBody: boolean; validates: boolean },
): Record<string, readonly ErrorCode[]> {
  const isV3 = operation.generation === 'v3';
  const ofKey = operation.repeatable ? REPEATABLE_ERRORS[isV3 ? 'v3' : 'connect'] : {};
  const own: Record<string, readonly ErrorCode[]> = { ...operation.errors };
  for (const [status, more] of Object.entries(ofKey))
    own[status] = [...new Set([...(own[status] ?? []), ...more])];
  return {
    ...own,
    ...(hasBody && {
      413: [isV3 ? 'payload_too_large' : 'INVALID_REQUEST'],
      415: [isV3 ? 'unsupported_media_type' : 'INVALID_REQUEST'],
    }),
    421: [isV3 ? 'unknown_host' : 'INVALID_REQUEST'],
    ...(isV3 && validates && { 422: own[422] ?? [] }),
    500: [isV3 ? 'internal_error' : 'INTERNAL_ERROR'],
    503: [
      'SERVICE_TEMPORARILY_UNAVAILABLE',
      ...(isV3 ? (['storage_unavailable'] as const) : []),
      ...(operation.errors[503] ?? []),
    ],
  };
}

/** The error responses of an operation by status, each code with its meaning and what to do (`x-codes`). */
export function errorResponses(
  operation: Operation,
  shape: { hasBody: boolean; validates: boolean },
): Record<string, unknown> {
  const isV3 = operation.generation === 'v3';
  return Object.fromEntries(
    Object.entries(codesOf(operation, shape)).map(([status, own]) => [
      status,
      {
        description: STATUS_CODES[status],
        ...(RETRIED.has(status) && { headers: { 'Retry-After': RETRY_AFTER } }),
        ...(isV3 && status === '401' && { headers: { 'WWW-Authenticate': AUTHENTICATE } }),
        'x-codes': own.map((code) => ({ code, ...ERROR_CODES[code] })),
        content: {
          'application/json': {
            schema: errorBody({ isV3, validates: shape.validates }, status, own),
            examples: {
              ...(isV3 && status === '422' && shape.validates && { validation: INVALID_EXAMPLE }),
              ...Object.fromEntries(own.map((code) => [exampleName(code), errorExample(isV3, code)])),
            },
          },
        },
      },
    ]),
  );
}

/** Names of examples contain letters, digits and underscores only. */
const exampleName = (code: ErrorCode): string => code.replace(/:.*/, '').replaceAll(' ', '_');

const errorExample = (isV3: boolean, code: ErrorCode) => ({
  summary: ERROR_CODES[code].meaning,
  value: isV3
    ? { detail: code.replace('…', 'colour') }
    : { status: 'failure', failure_code: code, failure_reason: ERROR_CODES[code].meaning },
});

const INVALID_EXAMPLE = {
  summary: 'The request doesn’t match its schema.',
  value: {
    detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }],
  },
};

/** Every code that an operation of these generations can return, once. */
function allCodes(operations: readonly Operation[]): ErrorCode[] {
  const codes = operations.flatMap((operation) =>
    Object.values(codesOf(operation, { hasBody: true, validates: true })).flat(),
  );
  return [...new Set(codes)].filter((code) => !code.endsWith('…')).sort();
}

const MORE_TO_COME = 'Code of the error. New codes may be added.';
const V3_CODES = {
  title: 'ErrorCode',
  type: 'string',
  enum: allCodes(Object.values({ ...V3_OPERATIONS, ...V3_CODE_OPERATIONS, ...V3_WEBHOOK_OPERATIONS })),
  description: MORE_TO_COME,
};
const CONNECT_CODES = {
  title: 'FailureCode',
  type: 'string',
  enum: allCodes(Object.values({ ...V1_OPERATIONS, ...V1_WEBHOOK_OPERATIONS, ...V2_OPERATIONS })),
  description: MORE_TO_COME,
};

const withCodes = (body: TSchema & { properties?: object }, name: string, codes: object): object => ({
  ...body,
  properties: { ...body.properties, [name]: codes },
});
const V3_ERROR = withCodes(ErrorBody, 'detail', V3_CODES);
const FAILURE = withCodes(FailureBody, 'failure_code', CONNECT_CODES);
/** Its code ends with names that differ from call to call. */
const INCOMPLETE_CONFIG = {
  title: 'ConfigIncomplete',
  type: 'object',
  properties: {
    detail: {
      type: 'string',
      pattern: '^config_incomplete: missing ',
      description: 'The code, with the names of the options that this server doesn’t know.',
    },
  },
  required: ['detail'],
};

const RETRIED = new Set(['429', '503']);
const RETRY_AFTER = {
  description: 'Seconds to wait before you try again.',
  schema: { type: 'integer', minimum: 1 },
};

const AUTHENTICATE = { description: 'Always `Bearer`.', schema: { type: 'string' } };

function errorBody(
  { isV3, validates }: { isV3: boolean; validates: boolean },
  status: string,
  codes: readonly ErrorCode[],
): object {
  if (!isV3) return FAILURE;
  if (status !== '422') return V3_ERROR;
  const bodies = [
    ...(validates ? [ValidationErrorBody] : []),
    ...(codes.some((code) => code.endsWith('…')) ? [INCOMPLETE_CONFIG] : []),
    ...(codes.some((code) => !code.endsWith('…')) ? [V3_ERROR] : []),
  ];
  return bodies.length === 1 ? (bodies[0] ?? {}) : { anyOf: bodies };
}

function security(key: Operation['key'], generation: Operation['generation']): Record<string, string[]>[] {
  if (generation === 'v3') return [{ key: [] }];
  return key === 'API-KEY' ? [{ connectKey: [] }] : [{ connectKey: [] }, {}];
}

/** Every optional field may be null, which counts as absent. */
function sentBody(body: ObjectSchema, { fieldKeys, oneOrList = [], example }: Operation): TSchema {
  const { properties = {}, required = [] } = body;
  const keyOf = (name: string) =>
    fieldKeys?.secret.includes(name) ? 'secret' : fieldKeys?.test.includes(name) ? 'test' : undefined;
  return {
    ...body,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        {
          ...(oneOrList.includes(name)
            ? oneOrListOf(field)
            : required.includes(name)
              ? field
              : nullable(field)),
          ...(keyOf(name) && { 'x-key': keyOf(name) }),
        },
      ]),
    ),
    ...(example && { examples: [example] }),
  };
}

/** One item alone, several, or null. */
function oneOrListOf({ description, ...list }: Fields[string]): TSchema {
  return {
    anyOf: [list.items ?? {}, list, { type: 'null' }],
    ...(description !== undefined && { description }),
  };
}

/** Generators take a field with a default for required. Those of bodies say in words what applies without them. */
function nullable({ default: _default, ...field }: Fields[string]): TSchema {
  if (typeof field.type !== 'string') return field;
  return {
    ...field,
    // They take an object without any properties for an empty one.
    ...(field.type === 'object' && { additionalProperties: field.additionalProperties ?? true }),
    type: [field.type, 'null'],
    ...(field.enum && { enum: [...field.enum, null] }),
  };
}

/** A field with a default need not be sent. */
function withoutDefaults(query: ObjectSchema): TSchema {
  const { properties = {}, required = [] } = query;
  return { ...query, required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}
