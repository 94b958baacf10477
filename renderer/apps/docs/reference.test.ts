import { describe, expect, test } from 'vitest';
import { Confirmation, InitializeRequest, VerificationList } from '../../../server/contract/v3.ts';
import type { OpenApiDocument, OpenApiOperation, Schema } from './openapi.ts';
import { deprecatedFields, fieldRows, readReference } from './reference.ts';

const PAGE = 'https://gate.example';
const schemaOf = (schema: object) => schema as Schema;
const rowOf = (schema: object, path: string) => fieldRows(schemaOf(schema)).find((row) => row.path === path)!;

function documentOf(operation: Partial<OpenApiOperation>, rest: Partial<OpenApiDocument> = {}) {
  const whole: OpenApiOperation = { operationId: 'sample', responses: {}, ...operation };
  return { info: { title: 'T', version: 'v3' }, paths: { '/v3/sample/{id}': { post: whole } }, ...rest };
}
const operationOf = (operation: Partial<OpenApiOperation>) =>
  readReference(documentOf(operation), PAGE).operations[0]!;

describe('fields', () => {
  test('each field of the initialize request has a row, in the order of the contract', () => {
    expect(fieldRows(schemaOf(InitializeRequest)).map(({ path }) => path)).toEqual(
      Object.keys(InitializeRequest.properties),
    );
  });

  test('what a key alone may send is taken out of the words', () => {
    expect(rowOf(InitializeRequest, 'group')).toMatchObject({
      keys: 'secret',
      required: false,
      deprecated: false,
      description: 'Uniqueness pool of the run.',
      bounds: ['1 to 255 characters'],
    });
    expect(rowOf(InitializeRequest, 'config').keys).toBe('test');
    expect(rowOf(InitializeRequest, 'origin').keys).toBeNull();
  });

  test('deprecation comes from the words or from the schema', () => {
    expect(rowOf(InitializeRequest, 'verification_external_id')).toMatchObject({
      keys: 'secret',
      deprecated: true,
      description: 'The customer’s own id for a verification.',
    });
    expect(rowOf(Confirmation, 'score')).toMatchObject({ deprecated: true, type: 'integer or null' });
    expect(rowOf(Confirmation, 'verified')).toMatchObject({ deprecated: false, required: true });
  });

  test('nested fields stand under theirs, one step deeper, with the whole way to them', () => {
    const rows = fieldRows(schemaOf(Confirmation)).map(({ path, depth }) => [path, depth]);
    const at = rows.findIndex(([path]) => path === 'identity');
    expect(rows.slice(at, at + 3)).toEqual([
      ['identity', 0],
      ['identity.provider', 1],
      ['identity.identifier', 1],
    ]);
    expect(rowOf(VerificationList, 'items[].config.is_test').depth).toBe(2);
  });

  test('a field with a default need not be sent', () => {
    const limit = { type: 'integer', minimum: 1, default: 25 };
    const schema = { type: 'object', required: ['limit'], properties: { limit } };
    expect(rowOf(schema, 'limit')).toMatchObject({ required: false, bounds: ['at least 1', 'default `25`'] });
  });
});

describe('operations', () => {
  test('the key is read out of the description, any where none is named', () => {
    expect(operationOf({ description: 'Does it.\n\nKey: test secret.' })).toMatchObject({
      description: 'Does it.',
      key: 'test secret',
    });
    expect(operationOf({ description: 'Does it.' })).toMatchObject({ description: 'Does it.', key: 'any' });
  });

  test('no body is told apart from a body without fields', () => {
    expect(operationOf({}).request).toBeNull();
    const content = { 'application/json': { schema: { type: 'object' } } };
    expect(operationOf({ requestBody: { content } }).request).toEqual([]);
  });

  test('parameters keep their place; headers are left out', () => {
    const { parameters } = operationOf({
      parameters: [
        { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
        { in: 'query', name: 'limit', required: true, schema: { type: 'integer', default: 25 } },
        { in: 'header', name: 'x-trace', schema: { type: 'string' } },
      ],
    });
    expect(parameters.map(({ name, place, required }) => [name, place, required])).toEqual([
      ['id', 'path', true],
      ['limit', 'query', false],
    ]);
  });

  test('errors list their codes by status, with words only where they say more', () => {
    const { errors } = operationOf({
      responses: {
        200: { description: 'ok' },
        401: { description: '`a_code`, `not found`' },
        422: { description: 'Does not fit or `config_incomplete: missing …`.' },
        503: { description: 'Maintenance (`SERVICE_TEMPORARILY_UNAVAILABLE`); see `Retry-After`.' },
      },
    });
    expect(errors).toEqual([
      { status: 401, codes: ['a_code', 'not found'], description: null },
      {
        status: 422,
        codes: ['config_incomplete: missing …'],
        description: 'Does not fit or `config_incomplete: missing …`.',
      },
      {
        status: 503,
        codes: ['SERVICE_TEMPORARILY_UNAVAILABLE'],
        description: 'Maintenance (`SERVICE_TEMPORARILY_UNAVAILABLE`); see `Retry-After`.',
      },
    ]);
  });
});

describe('the document', () => {
  test('its first server is the base address, else the page’s own', () => {
    const servers = [{ url: 'https://named.example' }];
    expect(readReference(documentOf({}, { servers }), PAGE).baseUrl).toBe('https://named.example');
    expect(readReference(documentOf({}), PAGE).baseUrl).toBe(PAGE);
  });

  test('deprecated fields of requests and answers are listed once', () => {
    const json = (schema: object) => ({ content: { 'application/json': { schema: schemaOf(schema) } } });
    const reference = readReference(
      documentOf({
        requestBody: json(InitializeRequest),
        responses: { 200: { description: 'ok', ...json(Confirmation) } },
      }),
      PAGE,
    );
    expect(deprecatedFields(reference)).toEqual([
      'verification_external_id',
      'external_tracker',
      'expire_in_days',
      'id',
      'confirmed_at',
      'locked',
      'is_test',
      'score',
      'band',
      'external_id',
      'identity',
    ]);
  });
});
