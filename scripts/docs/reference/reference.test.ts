import { describe, expect, test } from 'vitest';
import { WebhookConfigs } from '../../../server/contract/v1-webhooks.ts';
import { Confirmation, InitializeRequest, VerificationList } from '../../../server/contract/v3.ts';
import type { OpenApiDocument, OpenApiOperation, Schema } from './openapi.ts';
import { fieldRows, readReference } from './reference.ts';

const schemaOf = (schema: object) => schema as Schema;
const rowOf = (schema: object, path: string) => fieldRows(schemaOf(schema)).find((row) => row.path === path)!;

function documentOf(operation: Partial<OpenApiOperation>, rest: Partial<OpenApiDocument> = {}) {
  const whole: OpenApiOperation = { operationId: 'sample', responses: {}, ...operation };
  return { info: { title: 'T', version: 'v3' }, paths: { '/v3/sample/{id}': { post: whole } }, ...rest };
}
const operationOf = (operation: Partial<OpenApiOperation>) =>
  readReference(documentOf(operation)).operations[0]!;

describe('fields', () => {
  test('each field of the initialize request has a row, in the order of the contract', () => {
    expect(fieldRows(schemaOf(InitializeRequest)).map(({ path }) => path)).toEqual(
      Object.keys(InitializeRequest.properties),
    );
  });

  test('the key of a field and its deprecation come from the schema', () => {
    const field = { type: 'string', description: 'A field.' };
    const schema = { properties: { group: { ...field, 'x-key': 'secret' }, origin: field } };
    expect(rowOf(schema, 'group')).toMatchObject({ keys: 'secret', description: 'A field.' });
    expect(rowOf(schema, 'origin').keys).toBeNull();
    expect(rowOf(Confirmation, 'score')).toMatchObject({
      deprecated: true,
      schema: { type: ['integer', 'null'] },
    });
    expect(rowOf(Confirmation, 'verified')).toMatchObject({ deprecated: false, required: true });
  });

  test('nested fields follow their parent, with their full path', () => {
    const rows = fieldRows(schemaOf(Confirmation)).map(({ path }) => path);
    const at = rows.indexOf('identity');
    expect(rows.slice(at, at + 3)).toEqual(['identity', 'identity.provider', 'identity.identifier']);
    expect(rowOf(VerificationList, 'items[].config.is_test')).toMatchObject({ deprecated: false });
  });

  test('a top-level array of objects shows the fields of its objects', () => {
    const rows = fieldRows(schemaOf(WebhookConfigs)).map(({ path }) => path);
    expect(rows).toEqual(Object.keys(WebhookConfigs.items.properties).map((name) => `[].${name}`));
  });

  test('a field that is one object or a list shows the fields of its objects once', () => {
    const one = { type: 'object', properties: { type: { type: 'string' } } };
    const list = { type: 'array', items: one };
    const schema = { properties: { wanted: { anyOf: [one, list, { type: 'null' }] } } };
    expect(fieldRows(schemaOf(schema)).map(({ path }) => path)).toEqual(['wanted', 'wanted[].type']);
  });

  test('a field with a default is optional', () => {
    const limit = { type: 'integer', minimum: 1, default: 25 };
    const schema = { type: 'object', required: ['limit'], properties: { limit } };
    expect(rowOf(schema, 'limit')).toMatchObject({ required: false, schema: { minimum: 1, default: 25 } });
  });
});

describe('operations', () => {
  test('named schemas are expanded where they are referenced', () => {
    const schemas = { Body: schemaOf({ type: 'object', properties: { one: { type: 'string' } } }) };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } };
    const { operations } = readReference(
      documentOf({ requestBody: { content } }, { components: { schemas } }),
    );
    expect(operations[0]!.request?.fields.map(({ path }) => path)).toEqual(['one']);
  });

  test('no body differs from a body without fields', () => {
    expect(operationOf({}).request).toBeNull();
    const content = { 'application/json': { schema: { type: 'object' } } };
    expect(operationOf({ requestBody: { content } }).request).toEqual({ fields: [], example: {} });
  });

  test('parameters keep their order; headers are left out', () => {
    const { parameters } = operationOf({
      parameters: [
        { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
        { in: 'query', name: 'limit', required: true, schema: { type: 'integer', default: 25 } },
        { in: 'header', name: 'x-trace', schema: { type: 'string' } },
      ],
    });
    expect(parameters.map(({ path, place, required }) => [path, place, required])).toEqual([
      ['id', 'path', true],
      ['limit', 'query', false],
    ]);
  });

  test('errors list their codes by status, with the note of a described body', () => {
    const code = { code: 'a_code', meaning: 'It failed.', action: 'Try again.' };
    const anyOf = [{ description: 'See `detail`.' }, {}];
    const { errors } = operationOf({
      responses: {
        200: { description: 'The result.' },
        401: { description: 'Unauthorized', 'x-codes': [code] },
        422: { description: 'Unprocessable Entity', content: { 'application/json': { schema: { anyOf } } } },
      },
    });
    expect(errors).toEqual([
      { status: 401, name: 'Unauthorized', codes: [code], note: null },
      { status: 422, name: 'Unprocessable Entity', codes: [], note: 'See `detail`.' },
    ]);
  });
});
