/** Adds the error responses to the document and turns each schema with a title into a named component. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Operation } from '../../contract/operations.ts';
import { errorResponses } from './operation.ts';
import { WEBHOOKS } from './webhooks.ts';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = Extract<Parameters<Transform>[0], { openapiObject: unknown }>['openapiObject'];
type DocumentedOperation = {
  operationId?: string;
  parameters?: { in: string }[];
  requestBody?: object;
  responses: Record<string, unknown>;
};

/** @param operations by operation ID */
export function completeDocument(document: Document, operations: ReadonlyMap<string, Operation>): Document {
  const schemas: Record<string, unknown> = {};
  const paths = mapValues(document.paths ?? {}, (methods) =>
    mapValues(methods as Record<string, DocumentedOperation>, (documented) => {
      const operation = operations.get(documented.operationId ?? '');
      if (operation === undefined) return documented;
      const { requestBody } = documented;
      const hasBody = requestBody !== undefined;
      const validates = hasBody || documented.parameters?.some((one) => one.in === 'query') === true;
      const responses = {
        ...documented.responses,
        ...errorResponses(operation, { hasBody, validates }),
      };
      const body = hasBody && { requestBody: { ...requestBody, required: operation.optionalBody !== true } };
      return namedSchemas({ ...documented, ...body, responses }, schemas);
    }),
  );
  const webhooks = namedSchemas(WEBHOOKS, schemas);
  return { ...document, paths, webhooks, components: { ...document.components, schemas } } as Document;
}

/**
 * Replaces schemas that have a title with references, and collects them.
 * @throws if two different schemas share a title
 */
function namedSchemas(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => namedSchemas(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'example' || name === 'examples' ? (inner as unknown) : namedSchemas(inner, schemas),
    ]),
  );
  const { title, ...schema } = copy;
  if (typeof title !== 'string') return copy;
  if (title in schemas && !isDeepStrictEqual(schemas[title], schema)) {
    throw new Error(`Two different schemas have the title ${title}.`);
  }
  schemas[title] = schema;
  // What a field says about itself stays with it: readers of a reference need not follow it.
  const { description, deprecated } = schema;
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
