/** The OpenAPI 3.1 document, made from the schemas that requests are checked with. */
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Operation } from '../../contract/operations.ts';
import { completeDocument } from './components.ts';
import type { PublicDocument } from './document.ts';
import { describeOperation } from './operation.ts';
import { postmanCollection } from './postman.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { ServiceDeps } from '../deps.ts';
import { v1Routes } from '../v1/index.ts';
import { v2Routes } from '../v2/index.ts';
import { v3Routes } from '../v3/index.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Lists the route in the API reference. */
    operation?: Operation;
  }
}

const SECURITY_SCHEMES = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'v3: `sk_…` on your server, `pk_…` in a browser.',
  },
  connectKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description:
      'v1 and v2: `ak_test_…` of a demo account or `ak_live_…` in production. For your server only.',
  },
} as const;

/** Register it before the routes, so that it sees them. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  const operations = new Map<string, Operation>();
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: 'v3',
        description:
          'Checks that a person is a live, unique human. Send your key as a bearer token; v1 and v2 take it in the ' +
          '`API-KEY` header. Test and live keys open separate partitions. An explicit null counts as absent, unknown ' +
          'fields are ignored, and values are never converted to another type.',
        contact: { name: 'The operator of your Gatehouse' },
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Gatehouse' },
      },
      components: { securitySchemes: SECURITY_SCHEMES },
      tags: [
        { name: 'v3', description: 'The current version. Use it for new work.' },
        { name: 'v2', description: 'Supported for existing integrations.' },
        { name: 'v1', description: 'Supported for existing integrations, with webhooks.' },
      ],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const operation = route.config?.operation;
      if (operation === undefined || route.method === 'OPTIONS') return { url, schema: { hide: true } };
      operations.set(operation.operationId, operation);
      return { url, schema: describeOperation(schema, operation) };
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? completeDocument(document.openapiObject, operations)
        : document.swaggerObject,
  });
}

/** @param baseUrl address of the installation, which becomes the document’s server */
const published = (app: FastifyInstance, baseUrl: string): PublicDocument => {
  const document = app.swagger() as PublicDocument;
  return {
    ...document,
    info: { ...document.info, contact: { ...document.info.contact, url: `${baseUrl}/docs` } },
    servers: [{ url: baseUrl }],
    'x-reasons': Object.entries(REASON_MEANINGS).map(([code, meaning]) => ({ code, meaning })),
  };
};

/** Serves the document and the collection made from it, with the address of this installation. */
export function openApiRoute(app: FastifyInstance, baseUrl: () => string): void {
  app.get('/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(published(app, baseUrl())),
  );
  app.get('/openapi.yaml', async (_request, reply) => {
    const { stringify } = await import('yaml');
    return reply
      .header('access-control-allow-origin', '*')
      .type('application/yaml; charset=utf-8')
      .send(stringify(published(app, baseUrl()), { aliasDuplicateObjects: false }));
  });
  app.get('/postman.json', (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .send(postmanCollection(published(app, baseUrl()), baseUrl())),
  );
}

/** The document without a service, for builds and checks: routes are registered, and none of them is called. */
export async function publicDocument(baseUrl: string): Promise<PublicDocument> {
  const app = Fastify();
  await collectOpenApi(app);
  const deps = {} as ServiceDeps;
  await app.register(v3Routes, { deps });
  await app.register(v2Routes, { deps, prefix: '/v2' });
  await app.register(v1Routes, { deps, prefix: '/v1' });
  await app.ready();
  return published(app, baseUrl);
}

/** What each reason means, for integrators. */
const REASON_MEANINGS: Readonly<Record<Reason, string>> = {
  identity_mismatch: 'The email address or phone number of the run belongs to another person.',
  external_identity_mismatch: 'The `external_id` of the run belongs to another person.',
  blocked: 'The organiser has blocked the person, or the face may be that of somebody blocked.',
  pass_locked: 'The person’s pass on this verification was marked as used.',
  limit_reached: 'The person has reached the verification’s limit.',
  collision: 'The person already has an approved pass in the group or in an included one.',
  collision_company: 'The person already has an approved pass with your company, and the run had no group.',
  duplicate_account: 'The person already has a different `external_id`.',
  linked_denial: 'The person was denied before, for spoofing or by a reviewer.',
  capture_untrusted:
    'The pictures came from a browser, and the verification asks for a reviewer then (`capture.trust`).',
  capture_doubtful:
    'The capture passed, but possible signs of a photo, screen or recording remained. A reviewer decides.',
  face_self_mismatch: 'The pictures of the run show different people.',
  liveness_failed: 'No attempt showed a live person.',
  spoof_suspected: 'A possible photo, screen or mask was shown.',
  usage_cap_exceeded: 'The daily cap of runs is reached. It resets at 00:00 UTC.',
  not_recognised:
    'At a kiosk through which guests leave, the face was of nobody who had passed at the event.',
  declined: 'The person chose not to be checked.',
  reviewer_denied: 'A reviewer decided that this is the same person.',
  manual_override: 'An operator set the verdict.',
};
