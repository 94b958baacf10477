/** How bodies are parsed: decisions §1.4 and §3.2. */
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InitializeRequest } from '../contract/v3.ts';
import { replyWithError } from '../refusals/api.ts';
import { acceptJsonBodies, ignoreBodies } from './json-bodies.ts';

async function openApp(): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  app.post('/echo', { schema: { body: InitializeRequest } }, (request) => ({ body: request.body }));
  app.post('/none', (request) => ({ body: request.body ?? null }));
  app.get(
    '/page',
    { schema: { querystring: Type.Object({ limit: Type.Integer({ default: 25 }) }) } },
    (request) => request.query,
  );
  return app;
}

async function post(payload: string | Buffer | undefined, headers: Record<string, string> = {}) {
  const app = await openApp();
  const response = await app.inject({
    method: 'POST',
    url: '/echo',
    headers: { 'content-type': 'application/json', ...headers },
    ...(payload !== undefined && { payload }),
  });
  return { status: response.statusCode, json: response.json<{ body?: unknown; detail?: unknown }>() };
}

describe('a body that is nested too deeply', () => {
  const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it('is refused before anything else', async () => {
    expect(await post(nested(50_000))).toMatchObject({
      status: 422,
      json: { detail: [{ type: 'json_invalid', ctx: { error: 'recursion limit exceeded' } }] },
    });
  });

  it('is accepted within the limit', async () => {
    expect((await post(nested(100))).status).toBe(200);
  });
});

describe('the content type', () => {
  const TYPES = ['text/plain', 'application/json;', 'json', '', ';', '/', 'application/json, text/plain'];

  it.each(TYPES)('does not matter for a body, even if it is malformed: %j', async (type) => {
    const sent = await post('{"origin": "shop.example"}', { 'content-type': type });
    expect(sent).toEqual({ status: 200, json: { body: { origin: 'shop.example' } } });
  });

  it.each(TYPES)('nor where bodies are ignored: %j', async (type) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    ignoreBodies(app);
    app.post('/none', () => 'read');
    const headers = { 'content-type': type };
    const { statusCode } = await app.inject({ method: 'POST', url: '/none', headers, payload: 'x' });
    expect(statusCode).toBe(200);
  });
});

describe('null counts as absent', () => {
  it('for every field, whatever its type', async () => {
    const fields = Object.keys(InitializeRequest.properties);
    const body = JSON.stringify(Object.fromEntries(fields.map((field) => [field, null])));
    expect(await post(body)).toEqual({ status: 200, json: { body: {} } });
  });

  it('but not in a list, or in the caller’s own object, where it is a finding', async () => {
    expect((await post('{"include_groups": [null]}')).status).toBe(422);
    expect((await post('{"metadata": {"a": null}}')).status).toBe(422);
  });

  it('a null body counts as missing, like an empty or absent one', async () => {
    const missing = { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] };
    for (const payload of ['null', '', '   ', undefined]) {
      expect(await post(payload)).toEqual({ status: 422, json: missing });
    }
  });
});

describe('JSON', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
    'nonsense/x',
  ])('is parsed whatever the content type: %s', async (type) => {
    expect(await post('{"origin": "example.com"}', { 'content-type': type })).toEqual({
      status: 200,
      json: { body: { origin: 'example.com' } },
    });
  });

  it.each(['{', '{"a": }', 'nope', '{"a": 1,}', "{'a': 1}", '{"a": NaN}', '{} {}', '[1'])(
    'that is not JSON is json_invalid: %s',
    async (payload) => {
      const { status, json } = await post(payload);
      expect(status).toBe(422);
      expect(json.detail).toEqual([
        {
          type: 'json_invalid',
          loc: ['body', expect.any(Number)],
          msg: 'JSON decode error',
          input: {},
          ctx: { error: expect.any(String) as unknown },
        },
      ]);
    },
  );

  it.each(['\\ud800', 'a\\udfff', '\\ude00\\ud83d', 'x\\\\\\ud800'])(
    'with half a surrogate pair is refused, because two IDs could become one: %s',
    async (text) => {
      const { status, json } = await post(`{"origin": "${text}"}`);
      expect(status).toBe(422);
      expect(json.detail).toMatchObject([{ type: 'json_invalid', ctx: { error: 'lone surrogate' } }]);
    },
  );

  it.each(['\\ud83d\\ude00', '\\\\ud800', '\\u00e9'])(
    'with complete characters is accepted: %s',
    async (text) => {
      expect((await post(`{"origin": "${text}"}`)).status).toBe(200);
    },
  );

  it.each([
    ['a byte that no character begins with', [0xff]],
    ['a character cut short', [0xc3]],
    ['an overlong spelling', [0xc0, 0xaf]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('that is not UTF-8 is refused, because two IDs could become one: %s', async (_what, bytes) => {
    const body = Buffer.concat([Buffer.from('{"origin": "a'), Buffer.from(bytes), Buffer.from('"}')]);
    const { status, json } = await post(body);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([{ type: 'json_invalid', ctx: { error: 'invalid UTF-8' } }]);
  });

  it('may begin with a byte order mark, which some clients write (RFC 8259 §8.1)', async () => {
    expect(await post('\ufeff{"origin": "\ufeffa"}')).toEqual({
      status: 200,
      json: { body: { origin: '\ufeffa' } },
    });
  });

  it('json_invalid reports the position of the error', async () => {
    const { json } = await post('{"a": 1,}');
    expect(json.detail).toMatchObject([{ loc: ['body', 8] }]);
  });

  it.each(['[]', '"text"', '5', 'true'])('that is not an object is dict_type: %s', async (payload) => {
    expect(await post(payload)).toMatchObject({
      status: 422,
      json: { detail: [{ type: 'dict_type', loc: ['body'] }] },
    });
  });

  it('unknown fields are ignored, and special names change no object', async () => {
    const { status } = await post('{"__proto__": {"origin": 5}, "constructor": 1, "x": [1]}');
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)['origin']).toBeUndefined();
  });
});

describe('a whole number in metadata that JavaScript cannot hold', () => {
  it.each([
    ['175928847299117063', '175928847299117063'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['1e300', 1e300],
  ])('keeps its digits: %s', async (written, kept) => {
    const { json } = await post(`{"external_id": "a", "metadata": {"id": ${written}, "seat": 7}}`);
    expect(json.body).toEqual({ external_id: 'a', metadata: { id: kept, seat: 7 } });
  });

  it('stays a number elsewhere, so that it is out of range and not of another type', async () => {
    const { json } = await post('{"expire_in_days": 175928847299117063}');
    expect(json.detail).toMatchObject([{ type: 'less_than_equal' }]);
  });
});

describe('nothing is coerced, every finding is reported', () => {
  it('in a body', async () => {
    const { status, json } = await post('{"expire_in_days": "5", "auto_return": "true"}');
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([
      { type: 'int_type', loc: ['body', 'expire_in_days'] },
      { type: 'bool_type', loc: ['body', 'auto_return'] },
    ]);
  });

  it('but a query is text, so it is', async () => {
    const app = await openApp();
    expect((await app.inject('/page?limit=7')).json()).toEqual({ limit: 7 });
    expect((await app.inject('/page')).json()).toEqual({ limit: 25 });
    expect((await app.inject('/page?limit=x')).json()).toMatchObject({
      detail: [{ type: 'int_parsing', loc: ['query', 'limit'] }],
    });
  });
});

describe('a route without a schema', () => {
  it('needs no body', async () => {
    const app = await openApp();
    const response = await app.inject({ method: 'POST', url: '/none' });
    expect(response.json()).toEqual({ body: null });
  });
});
