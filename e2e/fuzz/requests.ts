/** Generated requests: valid bodies from the schemas, then altered, truncated and mislabelled. */
import fc from 'fast-check';

export type Request = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | null;
};

/** The part of JSON Schema that the API's document uses. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  additionalProperties?: boolean | Schema;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

type Body = { content: Record<string, { schema: { $ref: string } }> };

/** The part of the OpenAPI document from which requests are generated. */
export type ApiDocument = {
  paths: Record<string, Record<string, { requestBody?: Body }>>;
  components: { schemas: Record<string, Schema> };
};

/** The named schema of a JSON body; empty if the operation takes none. */
export function bodySchema(document: ApiDocument, body: Body | undefined): Schema {
  const reference = body?.content['application/json']?.schema.$ref;
  if (reference === undefined) return {};
  const schema = document.components.schemas[reference.split('/').at(-1) ?? ''];
  if (schema === undefined) throw new Error(`${reference} is not in the document.`);
  return schema;
}

/** Deep enough to overflow any recursion over a body. */
const DEEP = 50_000;
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '$ref', 'a.b', '0', 'length'];

const surrogates = fc.string({ unit: fc.constantFrom('\ud800', '\udfff', 'a', '\u0000', '\u202e', '🎟') });
const textOf = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    surrogates,
    fc.constantFrom('', ' ', '\u0000', '%00', '../..', "' OR 1=1 --", 'null', '\ufeff', '１２３'),
    fc.constant('x'.repeat(20_000)),
  );

/** Values that a field does not expect. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: textOf(40) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 2 ** 53, 1e308, 5e-324, [], {}, [
      [],
    ]),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom<unknown>(null, '', 0, {}), { maxLength: 60 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), fc.jsonValue()) },
);

/** Formats of valid values, and similar invalid ones. */
const strings = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.uuid(),
  fc.emailAddress(),
  fc.webUrl(),
  fc.domain(),
  fc.constantFrom(
    '+999011234567',
    '+14155550123',
    '/path',
    'friday',
    'alice',
    'near:alice',
    'https://a.example',
  ),
);

function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type = 'any'] = [schema.type].flat();
  switch (type) {
    case 'object':
      return validObject(schema);
    case 'array': {
      const { minItems: minLength = 0, maxItems = 5, items = {} } = schema;
      return fc.array(valid(items), { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 5)) });
    }
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 400 });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return schema.format === 'uuid' ? fc.uuid() : strings;
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function validObject({
  properties = {},
  required = [],
  additionalProperties,
}: Schema): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, inner]) =>
    fc
      .tuple(
        fc.constant(name),
        valid(inner),
        required.includes(name) ? fc.constant(true) : fc.nat(3).map((n) => n === 0),
      )
      .map(([field, value, isThere]): [string, unknown][] => (isThere ? [[field, value]] : [])),
  );
  const more =
    typeof additionalProperties === 'object'
      ? fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), valid(additionalProperties)), {
          maxLength: 3,
        })
      : fc.constant<[string, unknown][]>([]);
  return fc
    .tuple(fc.tuple(...known), more)
    .map(([fields, extra]) => Object.fromEntries([...fields.flat(), ...extra]));
}

/** A valid body with some fields replaced with wrong values, and unknown fields. */
function bent(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const field = fc.oneof(...(names.length > 0 ? [fc.constantFrom(...names)] : []), fc.constantFrom(...NAMES));
  const changes = fc.array(fc.tuple(field, hostile), { maxLength: 4 });
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(valid(schema), changes)
        .map(([body, changed]) => Object.fromEntries([...Object.entries(body ?? {}), ...changed])),
    },
    { weight: 1, arbitrary: hostile },
  );
}

/** The text of a body: unchanged, truncated, with insertions, or nested too deeply. */
export function textual(schema: Schema): fc.Arbitrary<string> {
  const text = bent(schema).map((body) => JSON.stringify(body));
  const names = Object.keys(schema.properties ?? {});
  const deepField = fc.constantFrom(...names, 'x');
  return fc.oneof(
    { weight: 20, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(text, fc.nat(), textOf(5)).map(([whole, place, more]) => {
        const at = place % (whole.length + 1);
        return whole.slice(0, at) + more + whole.slice(at);
      }),
    },
    { weight: 1, arbitrary: textOf(200) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(deepField, fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.integer({ min: 1, max: DEEP }))
        .map(([name, [open = '', close = ''], depth]) => {
          const deep = `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`;
          return `{${JSON.stringify(name)}:${deep}}`;
        }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"origin":1e999}', '{"a":1,"a":2}', 'NaN', '[', '"', '\ufeff{}', '{}\n{}'),
    },
  );
}

export const contentType: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/json;',
      ';;;',
      'json',
      '*/*',
      'image/jpeg',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }) },
);

/** An unusual path segment. */
export const segment: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map(escaped),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => text.replace(/[^!-~]/g, '')),
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff%fe',
    '%2e%2e%2f',
    '..',
    '.',
    '%E0%A4%A',
    '__proto__',
    'vyt_',
    '*',
    ':token',
  ),
  fc.constantFrom(2_047, 2_049, 6_000).map((length) => 'a'.repeat(length)),
);

function escaped(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Numbers as people, programs and databases write them, at and beyond what each can hold. */
const numbers = fc.oneof(
  fc.constantFrom('0', '1', '200', '201', '-1', '-0', '1.0', '1e300', '1e-7', '0x10', '1_0', 'Infinity'),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);

export const query: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom('limit', 'offset', 'limit[]', 'x', '__proto__', 'limit[a]'),
          fc.oneof(segment, numbers),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('?', '?limit', '?limit=1&limit=2', '?limit=1e9', '?limit=٣', '?%', '?limit=+5')
      .map(encodeURI),
  },
);

/** A header's value: anything that HTTP itself allows. */
export const headerValue: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\t -~]/g, '')),
  fc.string({ unit: fc.constantFrom('\u0080', '\u00ff', 'x', ' ', ',', ';'), maxLength: 10 }),
  fc.constantFrom('Bearer ', 'Bearer a b c', 'bearer\tx', 'Basic eDp5', '', 'x'.repeat(4_000)),
);
