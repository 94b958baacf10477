/** OpenAPI 3.1 out of the very schemas that requests are checked with. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { CONNECT_KEY, describeConnect } from './connect-openapi.ts';
import { ErrorBody, ValidationErrorBody } from '../../contract/v3.ts';
import type { ConnectOperation } from '../../contract/connect-operations.ts';
import type { Operation } from '../../contract/v3-operations.ts';
import { REASONS } from '../../domain/settling/reasons.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Puts the route into the API reference. */
    operation?: Operation;
    /** As `operation`, of v1 and v2. */
    connectOperation?: ConnectOperation;
  }
}

const MAINTENANCE_NOTE = 'Scheduled maintenance (`SERVICE_TEMPORARILY_UNAVAILABLE`); see `Retry-After`.';

/** Registered before the routes, so that it sees them. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: 'v3',
        description:
          'Decides whether a person is a live, unique human. Send the key as a bearer token, to v1 and v2 in ' +
          'the `API-KEY` header. Test and live keys open separate partitions. An explicit null counts as absent; unknown fields are ignored; nothing is coerced.',
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: '`sk_…` on your server, `pk_…` in a browser.' },
          ...CONNECT_KEY,
        },
      },
      tags: [{ name: 'v3' }, { name: 'v2' }, { name: 'v1' }],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const { operation, connectOperation } = route.config ?? {};
      if (connectOperation) return { url, schema: describeConnect(widened(schema), connectOperation) };
      return {
        url,
        schema: operation && route.method !== 'OPTIONS' ? describe(schema, operation) : { hide: true },
      };
    },
  });
}

/** Serves the document, naming the origin that this installation is reached at. */
export function openApiRoute(app: FastifyInstance, baseUrl: () => string): void {
  app.get('/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send({
      ...app.swagger(),
      servers: [{ url: baseUrl() }],
      'x-reasons': REASONS,
    }),
  );
}

function describe(schema: FastifySchema, operation: Operation): FastifySchema & Record<string, unknown> {
  const { operationId, summary, description, key, errors } = operation;
  const query = schema.querystring as TSchema | undefined;
  return {
    ...widened(schema),
    ...(query && { querystring: withDefaults(query) }),
    tags: ['v3'],
    operationId,
    summary,
    description: key === 'any' ? description : `${description}\n\nKey: ${key}.`,
    ...('deprecated' in operation && { deprecated: true }),
    security: [{ key: [] }],
    response: {
      ...(schema.response as Record<string, TSchema>),
      ...errorResponses(errors, schema.body !== undefined || schema.querystring !== undefined),
    },
  };
}

function errorResponses(errors: Operation['errors'], validates: boolean): Record<string, TSchema> {
  const responses: Record<string, TSchema> = {};
  for (const [status, codes] of Object.entries(errors)) {
    responses[status] = { ...ErrorBody, description: codes.map((code) => `\`${code}\``).join(', ') };
  }
  if (validates) {
    const words = errors[422] ? ` or ${errors[422].map((code) => `\`${code}\``).join(', ')}` : '';
    responses['422'] = {
      ...(errors[422] ? Type.Union([ValidationErrorBody, ErrorBody]) : ValidationErrorBody),
      description: `The request does not fit its schema${words}.`,
    };
  }
  responses['503'] = { ...ErrorBody, description: MAINTENANCE_NOTE };
  return responses;
}

/** What has a default may be left out. */
function withDefaults(query: TSchema): TSchema {
  const { properties = {}, required = [] } = query as TSchema & {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return { ...query, required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}

/** The body as the document has it. */
function widened(schema: FastifySchema): FastifySchema {
  return schema.body === undefined ? schema : { ...schema, body: withNulls(schema.body as TSchema) };
}

/** Every optional field may be null, which counts as absent. */
function withNulls(body: TSchema): TSchema {
  const { properties, required = [] } = body as TSchema & {
    properties?: Record<string, TSchema & { type?: string; enum?: unknown[] }>;
    required?: string[];
  };
  if (!properties) return body;
  const widened = Object.entries(properties).map(([name, property]) => [
    name,
    required.includes(name) || typeof property.type !== 'string'
      ? property
      : {
          ...property,
          type: [property.type, 'null'],
          ...(property.enum && { enum: [...property.enum, null] }),
        },
  ]);
  return { ...body, properties: Object.fromEntries(widened) as Record<string, TSchema> };
}
