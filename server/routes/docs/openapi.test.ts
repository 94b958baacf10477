import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { serverConfig } from '../../config.ts';
import { REASONS } from '../../domain/settling/reasons.ts';
import { createLogger } from '../../http/logging.ts';
import { createPublicApp } from '../../http/public-app.ts';

type Node = { [keyword: string]: unknown };
type Described = { description?: string; [keyword: string]: unknown };
type Media = { content?: { 'application/json': { schema: Node; example?: unknown; examples?: unknown } } };
type DocumentedOperation = Described & {
  summary: string;
  'x-key': string;
  parameters?: (Described & { name: string })[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Described & Media & { 'x-codes'?: Record<string, string>[] }>;
};
type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Node> };
  'x-reasons': { code: string; meaning: string }[];
};

/** A service belongs to one test; the document that it returns is kept for all. */
let loading: Promise<Document> | undefined;
async function loadDocument(): Promise<Document> {
  const { deps } = await openTestService();
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps, logger: createLogger('silent'), ...config });
  const reply = await app.inject('/openapi.json');
  await app.close();
  return reply.json<Document>();
}
const readDocument = () => (loading ??= loadDocument());

const operationsOf = ({ paths }: Pick<Document, 'paths'>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );

/** Paths of the fields below a schema that have no description. */
function undescribed(schema: Node, way: string): string[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Node>);
  const inner = ['items', 'additionalProperties'].map((keyword) => schema[keyword]);
  return [
    ...fields.flatMap(([name, field]) => [
      ...(field['description'] ? [] : [`${way}.${name}`]),
      ...undescribed(field, `${way}.${name}`),
    ]),
    ...inner.flatMap((one) => (typeof one === 'object' ? undescribed(one as Node, `${way}[]`) : [])),
  ];
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(await readDocument()));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('every operation, parameter, answer, code, field and reason is described', async () => {
  const document = await readDocument();
  const operations = operationsOf(document);
  expect(operations.length).toBeGreaterThan(15);
  const silent = operations.flatMap(({ name, operation }) => [
    ...(operation.summary && operation.description && operation['x-key'] ? [] : [name]),
    ...(operation.parameters ?? []).filter((one) => !one.description).map((one) => `${name} ${one.name}`),
    ...Object.entries(operation.responses).flatMap(
      ([status, { description, 'x-codes': codes = [], content }]) => [
        ...(description && description !== 'Default Response' ? [] : [`${name} ${status}`]),
        ...codes
          .filter(({ meaning, action }) => !meaning || !action)
          .map(({ code }) => `${name} ${status} ${code}`),
        ...undescribed(content?.['application/json'].schema ?? {}, `${name} ${status}`),
      ],
    ),
  ]);
  const schemas = Object.entries(document.components.schemas);
  expect([...silent, ...schemas.flatMap(([name, schema]) => undescribed(schema, name))]).toEqual([]);
  expect(document['x-reasons'].map(({ code }) => code)).toEqual([...REASONS]);
  expect(document['x-reasons'].filter(({ meaning }) => meaning === '')).toEqual([]);
});

test('every error status of an operation names its codes, or lists what does not match', async () => {
  for (const { name, operation } of operationsOf(await readDocument()))
    for (const [status, { 'x-codes': codes }] of Object.entries(operation.responses))
      if (Number(status) >= 400 && status !== '422')
        expect(codes?.length, `${name} ${status}`).toBeGreaterThan(0);
});

test('every request body is a named component with an example that fits it', async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const bodies = operationsOf(document).filter(({ operation }) => operation.requestBody !== undefined);
  expect(bodies.length).toBeGreaterThan(8);
  for (const { name, operation } of bodies) {
    const { schema, example } = operation.requestBody!.content!['application/json'];
    expect(schema['$ref'], name).toMatch(/^#\/components\/schemas\/\w+$/);
    const fits = ajv.compile({ $ref: `document${String(schema['$ref'])}` });
    expect([name, example !== undefined && fits(example), fits.errors]).toEqual([name, true, null]);
  }
});

test('every reply and every error of an operation and every webhook has an example that fits its schema', async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const at = (...way: string[]) =>
    `document#/${way.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  const misfits: unknown[] = [];
  const check = (place: string, way: string[], values: unknown[]) => {
    if (values.length === 0) misfits.push(`${place}: no example`);
    const fits = ajv.compile({ $ref: at(...way, 'content', 'application/json', 'schema') });
    for (const value of values) if (!fits(value)) misfits.push([place, value, fits.errors]);
  };
  const examplesOf = ({ content }: Media): unknown[] => {
    const { example, examples = {} } = content!['application/json'];
    const named = Object.values(examples as Record<string, { value: unknown }>).map(({ value }) => value);
    return example === undefined ? named : [example, ...named];
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const [status, response] of Object.entries(responses))
        check(
          `${method} ${path} ${status}`,
          ['paths', path, method, 'responses', status],
          examplesOf(response),
        );
  for (const [type, { post }] of Object.entries(document.webhooks))
    check(type, ['webhooks', type, 'post', 'requestBody'], examplesOf(post.requestBody!));
  expect(misfits).toEqual([]);
});

test('error codes are named enumerations that hold every code of every operation', async () => {
  const document = await readDocument();
  const codesOf = (name: string) => document.components.schemas[name]!['enum'] as string[];
  for (const { name, operation } of operationsOf(document))
    for (const { 'x-codes': codes = [] } of Object.values(operation.responses))
      for (const { code } of codes.filter((one) => !one['code']!.endsWith('…')))
        expect(codesOf(name.includes(' /v3/') ? 'ErrorCode' : 'FailureCode'), name).toContain(code);
});

test('fields name the key they need, and deprecated ones say so', async () => {
  const document = await readDocument();
  const fields = document.components.schemas['InitializeRequest']!['properties'] as Record<string, Node>;
  expect(fields['group']).toMatchObject({ 'x-key': 'secret', type: ['string', 'null'] });
  expect(fields['config']).toMatchObject({ 'x-key': 'test' });
  expect(fields['origin']).not.toHaveProperty('x-key');
  expect(fields['external_tracker']).toMatchObject({ deprecated: true });
});

test('bodies that may be left out are optional, all others required', async () => {
  const bodies = operationsOf(await readDocument()).flatMap(({ name, operation: { requestBody } }) =>
    requestBody === undefined ? [] : [{ name, required: requestBody.required }],
  );
  expect(bodies.filter(({ required }) => required !== true)).toEqual(
    [
      'post /v3/verifications/lookup',
      'post /v3/webhooks/{webhook_id}/secret/rotate',
      'post /v2/verification/create',
      'post /v2/sandbox/phone-number',
    ].map((name) => ({ name, required: false })),
  );
});

test('clients that generators make need no casts: no default in a body, and free objects are open', async () => {
  const { components, paths } = await readDocument();
  const inBodies = operationsOf({ paths }).flatMap(({ operation: { requestBody } }) => {
    const reference = requestBody?.content?.['application/json'].schema['$ref'];
    const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';
    return Object.entries((components.schemas[name]?.['properties'] ?? {}) as Record<string, Node>);
  });
  expect(inBodies.filter(([, field]) => 'default' in field)).toEqual([]);
  const isClosed = ({ type, properties, additionalProperties, patternProperties }: Node) =>
    [type].flat().includes('object') &&
    [properties, additionalProperties, patternProperties].every((keyword) => keyword === undefined);
  expect(inBodies.filter(([, field]) => isClosed(field))).toEqual([]);
});

test('decisions §3.20: answers for bodies that are too large or encoded are named, and a review in progress', async () => {
  const { paths, components } = await readDocument();
  expect(Object.keys(paths['/v3/initialize']!['post']!.responses)).toEqual(
    expect.arrayContaining(['413', '415', '500']),
  );
  expect(paths['/v3/confirmations/{token}']!['get']!.responses['401']).toHaveProperty(
    'headers.WWW-Authenticate',
  );
  expect(components.schemas['Error']).toHaveProperty('properties.state');
});

test('decisions §4.7: `data_request` is documented as one object, a list or null', async () => {
  const { components } = await readDocument();
  const { data_request: field } = components.schemas['RegisterRequest']!['properties'] as Record<
    string,
    Node
  >;
  const one = { $ref: '#/components/schemas/DataRequest' };
  expect(field).toMatchObject({
    anyOf: [one, { type: 'array', items: one, maxItems: 20 }, { type: 'null' }],
    description: 'Results that `get_status` returns.',
  });
  const accepts = new Ajv2020({ strict: false }).compile({ ...field, components });
  for (const value of [
    { type: 'IS_PHONE_NUMBER_VERIFIED' },
    [{ type: 'IS_PHONE_NUMBER_VERIFIED' }],
    [],
    null,
  ])
    expect([value, accepts(value)]).toEqual([value, true]);
  for (const value of [{ type: 'X' }, ['X'], 'X']) expect([value, accepts(value)]).toEqual([value, false]);
});
