import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { ValidationError } from '../refusals/refusal.ts';
import { compile, type Part } from '../services/wire/validation.ts';

const PARTS: Record<string, Part> = { body: 'body', querystring: 'query', params: 'path', headers: 'query' };

/**
 * Bodies as the contract specifies them: JSON in UTF-8 whatever the content type, null the same as absent, unknown
 * fields ignored, nothing coerced, every finding reported (decisions §1.4, §3.2).
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  acceptAnyContentType(app);
  // Fastify remembers the parser of a type that is named here, and looks for any other each time.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer' },
    (_request, body: Buffer, done) => {
      if (!isUtf8(body)) {
        done(new ValidationError([invalid('invalid UTF-8')]));
        return;
      }
      const text = body.toString().replace(BYTE_ORDER_MARK, '');
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        if (text.trim() === '') done(null, undefined);
        else done(new ValidationError([jsonInvalid(error)]));
        return;
      }
      if (text.length > LEAST_TOO_DEEP && isTooDeep(value))
        done(new ValidationError([invalid('recursion limit exceeded')]));
      else if (hasHalfCharacters(text, value)) done(new ValidationError([invalid('lone surrogate')]));
      else done(null, withExactMetadata(text, value));
    },
  );
  app.addHook('preValidation', (request, _reply, done) => {
    request.body = withoutNulls(request.body);
    done();
  });
  reportEveryFinding(app);
}

/** Checks requests with the validator of the contract instead of Fastify's. */
export function reportEveryFinding(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = compile(schema, PARTS[httpPart ?? 'body'] ?? 'body');
    return (value: unknown) => {
      const detail = check(value);
      return detail.length === 0 ? { value } : { error: new ValidationError(detail) };
    };
  });
}

/** Bodies of these types are files, handed on as they come. */
export function acceptFiles(app: FastifyInstance, types: readonly string[]): void {
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** For calls whose body may be left out: it then counts as empty. */
export const withoutBodyIsEmpty: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {};
  done();
};

/** For the console: bodies with a JSON content type, parsed by Fastify, once they are known to be UTF-8. */
export function refuseBrokenJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) void parse(request, body.toString(), done);
    else done(new ValidationError([{ type: 'json_invalid', loc: ['body'], msg: 'Use UTF-8' }]));
  });
}

/** For calls without a body that answer in any case: reads and discards any body. */
export function ignoreBodies(app: FastifyInstance): void {
  acceptAnyContentType(app);
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Fastify refuses a malformed content type before any parser; here it is as good as a missing one. */
function acceptAnyContentType(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const type = headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type)) headers['content-type'] = 'application/json';
    done();
  });
}

/** Far deeper than any of our bodies; recursive code must be able to process it. */
const MAX_DEPTH = 200;
/** Each level has two brackets. */
const LEAST_TOO_DEEP = 2 * MAX_DEPTH;

const invalid = (error: string) => ({
  type: 'json_invalid',
  loc: ['body', 0],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
});

/** More digits than any number holds exactly. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;

type Reviver = (this: object, key: string, value: unknown, context?: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Keeps the digits of a whole number in metadata, as text: an ID of 64 bits would otherwise come back changed. */
function withExactMetadata(text: string, value: unknown): unknown {
  if (!LONG_NUMBER.test(text) || !isObject(value) || !isObject(value['metadata'])) return value;
  const exact = new Map<object, Map<string, string>>();
  const parsed = parseWithSource(text, function keep(key, inner, context) {
    const source = context?.source ?? '';
    if (typeof inner === 'number' && !Number.isSafeInteger(inner) && INTEGER.test(source)) {
      exact.set(this, (exact.get(this) ?? new Map<string, string>()).set(key, source));
    }
    return inner;
  }) as { metadata: Record<string, unknown> };
  const digits = exact.get(parsed.metadata);
  const metadata = Object.entries(parsed.metadata).map(([key, kept]) => [key, digits?.get(key) ?? kept]);
  return { ...parsed, metadata: Object.fromEntries(metadata) as unknown };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Half surrogate pairs cannot be stored: two groups that differ only in them would become one. The JSON writer escapes
 * such halves and nothing else above ASCII, which distinguishes them from complete pairs.
 */
function hasHalfCharacters(text: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false;
  return /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value));
}

/** Level by level, because recursion could overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((inner): unknown[] =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

function jsonInvalid(error: unknown) {
  const reason = error instanceof Error ? error.message : 'not JSON';
  const position = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
  return {
    type: 'json_invalid',
    loc: ['body', position],
    msg: 'JSON decode error',
    input: {},
    ctx: { error: reason.replace(/ in JSON at position.*| \(line.*/s, '') },
  };
}

function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Buffer.isBuffer(body)) return body;
  if (!Object.values(body).includes(null)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
