import { expect, test } from 'vitest';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import { narrowings } from './narrowing.ts';
import { readShape } from './recorded.ts';

type Node = { [name: string]: Node } & { [name: string]: unknown };

const document = await publicDocument('https://verify.gatehouse.test');

/** The findings after a change to a copy of the document. */
function after(change: (parts: { paths: Node; schemas: Node; webhooks: Node }) => void): string[] {
  const copy = structuredClone(document);
  const { paths, webhooks, components } = copy as unknown as Record<string, Node>;
  change({ paths: paths!, webhooks: webhooks!, schemas: components!['schemas']! });
  return narrowings(document, copy);
}
const fieldOf = (schemas: Node, name: string) => schemas[name]!['properties'] as Node;

test('the interface takes and promises all that was recorded of it', async () => {
  expect(narrowings(await readShape(), document)).toEqual([]);
});

test.each<[string, Parameters<typeof after>[0]]>([
  ['an operation', ({ paths }) => (paths['/v3/new'] = { post: { responses: {} } } as unknown as Node)],
  [
    'an optional field of a request',
    ({ schemas }) =>
      (fieldOf(schemas, 'InitializeRequest')['colour'] = { type: 'string' } as unknown as Node),
  ],
  [
    'a field of a reply',
    ({ schemas }) => (fieldOf(schemas, 'Confirmation')['more'] = { type: 'string' } as unknown as Node),
  ],
  ['an error code', ({ schemas }) => (schemas['ErrorCode']!['enum'] as unknown as string[]).push('new_code')],
  [
    'a longer text',
    ({ schemas }) => Object.assign(fieldOf(schemas, 'InitializeRequest')['group']!, { maxLength: 300 }),
  ],
  ['an event', ({ webhooks }) => (webhooks['NEW'] = {} as Node)],
  [
    'a deprecation',
    ({ schemas }) => Object.assign(fieldOf(schemas, 'Confirmation')['group']!, { deprecated: true }),
  ],
  [
    'a body of an error beside the others',
    ({ paths }) => {
      const replies = paths['/v3/initialize']!['post']!['responses'] as Node;
      const { schema } = replies['422']!['content']!['application/json'] as Node;
      (schema!['anyOf'] as unknown as object[]).push({ type: 'object' });
    },
  ],
  [
    'a status of an error',
    ({ paths }) => ((paths['/v3/initialize']!['post']!['responses'] as Node)['402'] = {} as Node),
  ],
])('adding passes: %s', (_, change) => {
  expect(after(change)).toEqual([]);
});

test.each<[string, Parameters<typeof after>[0], string]>([
  ['an operation is removed', ({ paths }) => delete paths['/v3/keys/test'], 'POST /v3/keys/test: removed'],
  [
    'an event is removed',
    ({ webhooks }) => delete webhooks['USER_VERIFICATION_DENIED'],
    'webhook USER_VERIFICATION_DENIED: removed',
  ],
  [
    'a field of a webhook is removed',
    ({ schemas }) => delete fieldOf(schemas, 'WebhookCallBody')['user_id'],
    'webhook USER_VERIFICATION_DENIED.user_id: removed',
  ],
  [
    'a field of a request is removed',
    ({ schemas }) => delete fieldOf(schemas, 'InitializeRequest')['group'],
    'POST /v3/initialize body.group: removed',
  ],
  [
    'a field of a request becomes required',
    ({ schemas }) => (schemas['CreateVerificationRequest']!['required'] = ['region'] as unknown as Node),
    'POST /v2/verification/create body.region: now required',
  ],
  [
    'a body becomes required',
    ({ paths }) =>
      Object.assign(paths['/v2/verification/create']!['post']!['requestBody']!, { required: true }),
    'POST /v2/verification/create body: now required',
  ],
  [
    'a text becomes shorter',
    ({ schemas }) => Object.assign(fieldOf(schemas, 'InitializeRequest')['group']!, { maxLength: 100 }),
    'POST /v3/initialize body.group: narrower maxLength',
  ],
  [
    'a text gets a pattern',
    ({ schemas }) => Object.assign(fieldOf(schemas, 'InitializeRequest')['group']!, { pattern: '^a' }),
    'POST /v3/initialize body.group: narrower pattern',
  ],
  [
    'null is no longer taken',
    ({ schemas }) => Object.assign(fieldOf(schemas, 'InitializeRequest')['group']!, { type: 'string' }),
    'POST /v3/initialize body.group: type string|null became string',
  ],
  [
    'a value of a request is no longer taken',
    ({ schemas }) =>
      Object.assign(fieldOf(schemas, 'TestTokenRequest')['status']!, { enum: ['approved', null] }),
    'POST /v3/test/confirmation-token body.status: no longer takes "denied"',
  ],
  [
    'a field needs another key',
    ({ schemas }) =>
      Object.assign(fieldOf(schemas, 'InitializeRequest')['auto_return']!, { 'x-key': 'secret' }),
    'POST /v3/initialize body.auto_return: takes another key',
  ],
  [
    'a field of a reply is removed',
    ({ schemas }) => delete fieldOf(schemas, 'Confirmation')['score'],
    'GET /v3/confirmations/{token} 200.score: removed',
  ],
  [
    'a field of a reply is no longer always there',
    ({ schemas }) => {
      const required = schemas['Confirmation']!['required'] as unknown as string[];
      required.splice(required.indexOf('verified'), 1);
    },
    'GET /v3/confirmations/{token} 200.verified: no longer always there',
  ],
  [
    'a field of a reply can be null',
    ({ schemas }) =>
      Object.assign(fieldOf(schemas, 'Confirmation')['verified']!, { type: ['boolean', 'null'] }),
    'GET /v3/confirmations/{token} 200.verified: type boolean became boolean|null',
  ],
  [
    'a reply has a new verdict',
    ({ schemas }) =>
      Object.assign(fieldOf(schemas, 'Confirmation')['status']!, { enum: ['approved', 'denied', 'pending'] }),
    'GET /v3/confirmations/{token} 200.status: now also returns "pending"',
  ],
  [
    'an error code is removed',
    ({ paths }) => {
      const replies = paths['/v3/confirmations/{token}']!['get']!['responses'] as Node;
      replies['410']!['x-codes'] = [] as unknown as Node;
    },
    'GET /v3/confirmations/{token} 410 token_expired: removed',
  ],
  [
    'an operation takes another key',
    ({ paths }) => Object.assign(paths['/v3/initialize']!['post']!, { 'x-key': 'secret' }),
    'POST /v3/initialize: takes another key',
  ],
  [
    'a query has a new required parameter',
    ({ paths }) =>
      (paths['/v3/verifications']!['get']!['parameters'] as unknown as object[]).push({
        name: 'order',
        in: 'query',
        required: true,
      }),
    'GET /v3/verifications query order: new and required',
  ],
])('narrowing fails: %s', (_, change, expected) => {
  expect(after(change)).toContain(expected);
});
