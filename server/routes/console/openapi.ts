/** The console's own OpenAPI document, generated from the schemas that its calls are checked with. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { CSRF_HEADER } from '../../contract/console/common.ts';
import { ConsoleErrorBody } from '../../contract/console/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

const TAG = 'console';

/** Register it before the routes, so that it sees them. */
export async function collectConsoleOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse console',
        version: '1',
        description:
          `For the console’s own pages. A session cookie identifies the operator. Every call except GET also needs ` +
          `\`${CSRF_HEADER}\`. \`x-role\` is the lowest role that a call requires; \`x-installation-wide\` marks calls that are ` +
          `refused to operators who are limited to companies.`,
      },
      tags: [{ name: TAG }],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      if (access === undefined) return { url, schema: { ...schema, hide: true } };
      return {
        url,
        schema: {
          ...schema,
          tags: [TAG],
          'x-role': access === 'public' ? 'public' : access.role,
          ...(access !== 'public' && access.installationWide && { 'x-installation-wide': true }),
          response: {
            ...(schema.response as Record<string, unknown> | undefined),
            default: { ...ConsoleErrorBody, description: 'A refusal.' },
          },
        } as typeof schema,
      };
    },
  });
}

export function consoleOpenApiRoute(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, system.openApi, async ({ reply }) =>
    reply.send({ ...app.swagger(), servers: [{ url: '/' }] }),
  );
}
