/** Operations of v1 and v2 as the document has them: a key header and a failure body of their own. */
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { FailureBody } from '../../contract/connect.ts';
import type { ConnectOperation } from '../../contract/connect-operations.ts';

/** The `API-KEY` header, by this name among the document's security schemes. */
export const CONNECT_KEY = {
  connectKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description: '`ak_test_…` of a demo account, `ak_live_…` in production; on your server only.',
  },
} as const;

const COMMON_ERRORS: Readonly<Record<string, readonly string[]>> = {
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_TEMPORARILY_UNAVAILABLE'],
};

/** @param schema of the route, its body already as the document wants it */
export function describeConnect(
  schema: FastifySchema,
  operation: ConnectOperation,
): FastifySchema & Record<string, unknown> {
  const { generation, operationId, summary, description, key, errors } = operation;
  const responses: Record<string, TSchema> = {};
  const all: Readonly<Record<string, readonly string[]>> = { ...errors, ...COMMON_ERRORS };
  for (const [status, codes] of Object.entries(all)) {
    responses[status] = { ...FailureBody, description: codes.map((code) => `\`${code}\``).join(', ') };
  }
  return {
    ...schema,
    tags: [generation],
    operationId,
    summary,
    description: `${description}\n\nKey: ${key}.`,
    security: key === 'API-KEY' ? [{ connectKey: [] }] : [{ connectKey: [] }, {}],
    response: { ...(schema.response as Record<string, TSchema>), ...responses },
  };
}
