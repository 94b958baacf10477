/** Schemas checked by Ajv, with findings in FastAPI's words (decisions §3.2). */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { MAX_JSON_BYTES } from '../../contract/text-bounds.ts';
import type { ValidationDetail } from '../../refusals/refusal.ts';

export type Part = 'body' | 'query' | 'path';

/** Checks a value and returns the findings; empty if it is valid. */
export type Check = (value: unknown) => ValidationDetail[];

const OPTIONS = { allErrors: true, verbose: true, allowUnionTypes: true, strict: true } as const;

/** Of the received JSON, without surrounding white space. */
const jsonBytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function makeAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, coerceTypes, useDefaults: coerceTypes });
  addFormats.default(ajv);
  ajv.addKeyword({
    keyword: MAX_JSON_BYTES,
    type: 'object',
    schemaType: 'number',
    compile: (most: number) => (value: unknown) => jsonBytesOf(value) <= most,
  });
  return ajv;
}

/** Bodies are never coerced or stripped; query strings and paths are text and have to be (decisions §1.4). */
const strict = makeAjv(false);
const coercing = makeAjv(true);

/**
 * The validator of a schema. Ajv compiles it at the first value, because compiling all of them took most of a start.
 * @throws when called, if the schema itself is wrong
 */
export function compile(schema: TSchema, part: Part): Check {
  let built: ValidateFunction | undefined;
  return (value) => {
    if (part === 'body' && (value === undefined || value === null)) {
      return [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }];
    }
    const validate = (built ??= (part === 'body' ? strict : coercing).compile(schema));
    // Read first, because Ajv replaces the texts.
    const unparsed = [
      ...brokenTexts(part, value),
      ...(part === 'body' ? [] : unparsedIntegers(schema, part, value)),
    ];
    if (validate(value)) return unparsed;
    const errors = validate.errors ?? [];
    const findings = errors
      .filter((error) => !isToldByEnum(error, errors))
      .flatMap((error) => toDetail(error, part, value));
    const isTold = ({ loc }: ValidationDetail) => unparsed.some((known) => known.loc[1] === loc[1]);
    return [...unparsed, ...findings.filter((finding) => !isTold(finding))];
  };
}

/** Half a surrogate pair is not a character: PostgreSQL refuses it, and a file or a log would hold another one. */
function brokenTexts(part: Part, value: unknown): ValidationDetail[] {
  const found: ValidationDetail[] = [];
  // Not by recursion, because a body can be nested deeper than the stack.
  const left: { inner: unknown; loc: readonly (string | number)[] }[] = [{ inner: value, loc: [part] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { inner, loc } = next;
    if (typeof inner === 'string') {
      if (!inner.isWellFormed()) found.push({ ...NOT_UNICODE, loc: [...loc], input: null });
    } else if (typeof inner === 'object' && inner !== null) {
      for (const [name, each] of Object.entries(inner)) {
        const step = Array.isArray(inner) ? Number(name) : name;
        if (name.isWellFormed()) left.push({ inner: each, loc: loc.length < MAX_LOC ? [...loc, step] : loc });
        else found.push({ ...NOT_UNICODE, loc: [...loc, '[key]'], input: null });
      }
    }
  }
  return found;
}

/** A place that is deeper is told by its beginning. */
const MAX_LOC = 8;
const NOT_UNICODE = {
  type: 'string_unicode',
  msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
};

/** As pydantic reads an integer from text. Ajv also takes `1e1`, `0x10` and white space alone. */
const INTEGER_TEXT = /^\s*[+-]?\d+(\.0+)?\s*$/;

const notAnInteger = {
  type: 'int_parsing',
  msg: 'Input should be a valid integer, unable to parse string as an integer',
};

function unparsedIntegers(schema: TSchema, part: Part, value: unknown): ValidationDetail[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  return Object.entries((value ?? {}) as Record<string, unknown>).flatMap(([name, input]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isText = typeof input === 'string' && !INTEGER_TEXT.test(input);
    return known && 'type' in known && known.type === 'integer' && isText
      ? [{ ...notAnInteger, loc: [part, name], input }]
      : [];
  });
}

/** A value of the wrong type also fails a closed set. One finding reports it, as pydantic's literals do. */
function isToldByEnum({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return (
    keyword === 'type' &&
    errors.some((other) => other.keyword === 'enum' && other.instancePath === instancePath)
  );
}

const TYPE_FINDINGS: Record<string, { type: string; msg: string }> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
};

const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;

function toDetail(error: ErrorObject, part: Part, value: unknown): ValidationDetail[] {
  const loc = locate(error, part, value);
  const detail = (type: string, msg: string, ctx?: Record<string, unknown>): ValidationDetail[] => [
    { type, loc, msg, input: error.propertyName ?? error.data, ...(ctx && { ctx }) },
  ];
  const limit = Number((error.params as { limit?: unknown }).limit);
  switch (error.keyword) {
    case 'required': {
      const field = String((error.params as { missingProperty: unknown }).missingProperty);
      return [{ type: 'missing', loc: [...loc, field], msg: 'Field required', input: error.data }];
    }
    case 'type':
      return typeDetail(error, part, detail);
    case 'minLength':
      return detail('string_too_short', `String should have at least ${plural(limit, 'character')}`, {
        min_length: limit,
      });
    case 'maxLength':
      return detail('string_too_long', `String should have at most ${plural(limit, 'character')}`, {
        max_length: limit,
      });
    case 'minItems':
      return detail('too_short', sizeMessage('List', 'at least', limit, error.data), {
        field_type: 'List',
        min_length: limit,
        actual_length: sizeOf(error.data),
      });
    case 'maxItems':
    case 'maxProperties': {
      const kind = error.keyword === 'maxItems' ? 'List' : 'Dictionary';
      return detail('too_long', sizeMessage(kind, 'at most', limit, error.data), {
        field_type: kind,
        max_length: limit,
        actual_length: sizeOf(error.data),
      });
    }
    case MAX_JSON_BYTES: {
      const [most, actual] = [Number(error.schema), jsonBytesOf(error.data)];
      return detail('too_long', `Dictionary should have at most ${most} bytes as JSON, not ${actual}`, {
        field_type: 'Dictionary',
        max_length: most,
        actual_length: actual,
      });
    }
    case 'minimum':
      return detail('greater_than_equal', `Input should be greater than or equal to ${limit}`, { ge: limit });
    case 'maximum':
      return detail('less_than_equal', `Input should be less than or equal to ${limit}`, { le: limit });
    case 'format':
      return detail('uuid_parsing', 'Input should be a valid UUID', { error: 'invalid UUID' });
    case 'enum':
    case 'const': {
      const { allowedValues, allowedValue } = error.params as {
        allowedValues?: unknown[];
        allowedValue?: unknown;
      };
      const expected = (allowedValues ?? [allowedValue]).map((value) => `'${String(value)}'`).join(' or ');
      return detail('literal_error', `Input should be ${expected}`, { expected });
    }
    case 'pattern': {
      const { pattern } = error.params as { pattern: string };
      return detail('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern });
    }
    default:
      // propertyNames and similar keywords only repeat an inner finding.
      return [];
  }
}

function typeDetail(
  error: ErrorObject,
  part: Part,
  detail: (type: string, msg: string) => ValidationDetail[],
): ValidationDetail[] {
  const { type } = error.params as { type: string | string[] };
  const [expected = 'string'] = Array.isArray(type) ? type : type.split(',');
  if (part !== 'body' && expected === 'integer') {
    return detail(notAnInteger.type, notAnInteger.msg);
  }
  const finding = TYPE_FINDINGS[expected] ?? { type: 'string_type', msg: 'Input should be a valid string' };
  return detail(finding.type, finding.msg);
}

function sizeMessage(kind: string, bound: string, limit: number, data: unknown): string {
  return `${kind} should have ${bound} ${plural(limit, 'item')} after validation, not ${sizeOf(data)}`;
}

/** `/include_groups/0` → ['body', 'include_groups', 0]; a bad key is reported as FastAPI does. */
function locate(error: ErrorObject, part: Part, value: unknown): (string | number)[] {
  const loc: (string | number)[] = [part];
  let inner = value;
  for (const step of error.instancePath.split('/').slice(1)) {
    const name = step.replace(/~1/g, '/').replace(/~0/g, '~');
    loc.push(Array.isArray(inner) ? Number(name) : name);
    inner = (inner as Record<string, unknown>)[name];
  }
  return error.propertyName === undefined ? loc : [...loc, error.propertyName, '[key]'];
}
