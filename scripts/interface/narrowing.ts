/** Compares two versions of the interface: what an integrator's code relies on may be added to, and never narrowed. */
import type { PublicDocument } from '../../server/routes/docs/document.ts';

type Schema = { [keyword: string]: unknown };
type Media = { content?: Record<string, { schema?: Schema }> };
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media & { 'x-codes'?: { code: string }[] }>;
  'x-key'?: string;
};
/** `sent` by an integrator: may take more. `received`: may promise more. */
type Direction = 'sent' | 'received';
/** A place in the documents, for messages, and the schemas that references there lead to. */
type Place = { at: string; direction: Direction; before: PublicDocument; after: PublicDocument };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Values of these may be added to an enumeration of replies: the document says so. */
const OPEN_ENUMS = /\.(detail|failure_code)$/;

/** Each place where `after` takes less, or promises less, than `before`; empty if nothing was narrowed. */
export function narrowings(before: PublicDocument, after: PublicDocument): string[] {
  const found = Object.entries(before.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).flatMap((method) => {
      const at = `${method.toUpperCase()} ${path}`;
      const next = after.paths[path]?.[method];
      return next === undefined
        ? [`${at}: removed`]
        : operation(methods[method] as Operation, next as Operation, {
            at,
            direction: 'sent',
            before,
            after,
          });
    }),
  );
  const webhooks = Object.entries(before.webhooks).flatMap(([type, methods]) => {
    const at = `webhook ${type}`;
    const next = after.webhooks[type] as { post: Operation } | undefined;
    if (next === undefined) return [`${at}: removed`];
    const body = (from: unknown) => schemaIn((from as { post: Operation }).post.requestBody);
    return schema(body(methods), body(next), { at, direction: 'received', before, after });
  });
  return [...found, ...webhooks];
}

const schemaIn = (media: Media | undefined): Schema | undefined =>
  media?.content?.['application/json']?.schema;

function operation(before: Operation, after: Operation, place: Place): string[] {
  const { at } = place;
  const known = new Set(before.parameters?.map(({ name }) => name));
  return [
    ...(before['x-key'] === after['x-key'] ? [] : [`${at}: takes another key`]),
    ...(before.parameters ?? []).flatMap((parameter) => {
      const next = after.parameters?.find(({ name }) => name === parameter.name);
      const inside = { ...place, at: `${at} ${parameter.in} ${parameter.name}` };
      if (next === undefined) return [`${inside.at}: removed`];
      return [
        ...(next.required === true && parameter.required !== true ? [`${inside.at}: now required`] : []),
        ...schema(parameter.schema, next.schema, inside),
      ];
    }),
    ...(after.parameters ?? [])
      .filter(({ name, required }) => required === true && !known.has(name))
      .map(({ in: where, name }) => `${at} ${where} ${name}: new and required`),
    ...(after.requestBody?.required === true && before.requestBody?.required !== true
      ? [`${at} body: now required`]
      : []),
    ...schema(schemaIn(before.requestBody), schemaIn(after.requestBody), { ...place, at: `${at} body` }),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const inside = { ...place, at: `${at} ${status}`, direction: 'received' } as const;
      const next = after.responses[status];
      if (next === undefined) return [`${inside.at}: removed`];
      const codes = new Set(next['x-codes']?.map(({ code }) => code));
      return [
        ...(response['x-codes'] ?? [])
          .filter(({ code }) => !codes.has(code))
          .map(({ code }) => `${inside.at} ${code}: removed`),
        ...schema(schemaIn(response), schemaIn(next), inside),
      ];
    }),
  ];
}

const REFERENCE = '#/components/schemas/';

function resolved(value: Schema | undefined, document: PublicDocument): Schema {
  const reference = value?.['$ref'];
  if (typeof reference !== 'string') return value ?? {};
  return (document.components.schemas[reference.slice(REFERENCE.length)] ?? {}) as Schema;
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());
const fieldsOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>;

function schema(one: Schema | undefined, other: Schema | undefined, place: Place): string[] {
  const [before, after] = [resolved(one, place.before), resolved(other, place.after)];
  const { at } = place;
  return [
    ...types(before, after, place),
    ...enums(before, after, place),
    ...(place.direction === 'sent' ? limits(before, after, at) : []),
    ...(before['format'] === after['format'] || after['format'] === undefined
      ? []
      : [`${at}: another format`]),
    ...objects(before, after, place),
    ...(before['items'] === undefined
      ? []
      : schema(before['items'] as Schema, after['items'] as Schema | undefined, { ...place, at: `${at}[]` })),
    ...alternatives(before, after, place),
  ];
}

/** A request must still take every earlier value; a reply must return no new one. */
const missing = (before: unknown[], after: unknown[], { direction }: Place): unknown[] =>
  direction === 'sent'
    ? before.filter((value) => !after.includes(value))
    : after.filter((value) => !before.includes(value));

function types(before: Schema, after: Schema, place: Place): string[] {
  const [was, is] = [listOf(before['type']), listOf(after['type'])];
  if (was.length === 0 && (is.length === 0 || place.direction === 'received')) return [];
  if (is.length === 0 && place.direction === 'sent') return [];
  const lost = missing(was, is, place);
  return lost.length === 0 && is.length > 0
    ? []
    : [`${place.at}: type ${was.join('|')} became ${is.join('|')}`];
}

function enums(before: Schema, after: Schema, place: Place): string[] {
  const [was, is] = [before['enum'], after['enum']] as (unknown[] | undefined)[];
  const { at, direction } = place;
  if (direction === 'sent') {
    if (is === undefined) return [];
    return was === undefined
      ? [`${at}: now takes certain values only`]
      : missing(was, is, place).map((value) => `${at}: no longer takes ${JSON.stringify(value)}`);
  }
  if (was === undefined || OPEN_ENUMS.test(at)) return [];
  return is === undefined
    ? [`${at}: now returns any value`]
    : missing(was, is, place).map((value) => `${at}: now also returns ${JSON.stringify(value)}`);
}

/** Keywords whose number may only grow, and those whose number may only shrink, in a request. */
const LIMITS = {
  grows: ['maxLength', 'maximum', 'maxItems', 'maxProperties'],
  shrinks: ['minLength', 'minimum', 'minItems', 'minProperties'],
} as const;

function limits(before: Schema, after: Schema, at: string): string[] {
  const tighter = (keyword: string, isTighter: (was: number, is: number) => boolean) => {
    const [was, is] = [before[keyword], after[keyword]] as (number | undefined)[];
    return is !== undefined && (was === undefined || isTighter(was, is));
  };
  const found = [
    ...LIMITS.grows.filter((keyword) => tighter(keyword, (was, is) => is < was)),
    ...LIMITS.shrinks.filter((keyword) => tighter(keyword, (was, is) => is > was)),
    ...(after['pattern'] === undefined || after['pattern'] === before['pattern'] ? [] : ['pattern']),
  ];
  return found.map((keyword) => `${at}: narrower ${keyword}`);
}

function objects(before: Schema, after: Schema, place: Place): string[] {
  const { at, direction } = place;
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const [neededBefore, neededAfter] = [listOf(before['required']), listOf(after['required'])];
  const isClosed = after['additionalProperties'] === false && before['additionalProperties'] !== false;
  return [
    ...(direction === 'sent' && isClosed ? [`${at}: no longer takes other fields`] : []),
    ...(direction === 'sent'
      ? neededAfter
          .filter((name) => !neededBefore.includes(name))
          .map((name) => `${at}.${String(name)}: now required`)
      : neededBefore
          .filter((name) => !neededAfter.includes(name))
          .map((name) => `${at}.${String(name)}: no longer always there`)),
    ...Object.entries(was).flatMap(([name, field]) =>
      is[name] === undefined
        ? [`${at}.${name}: removed`]
        : [
            ...(field['x-key'] === is[name]['x-key'] ? [] : [`${at}.${name}: takes another key`]),
            ...schema(field, is[name], { ...place, at: `${at}.${name}` }),
          ],
    ),
  ];
}

/** An error may get another body beside those it has, as it may get another code. */
const ERROR_STATUS = / [45]\d\d/;

/** By position: an alternative that is added comes last. */
function alternatives(before: Schema, after: Schema, place: Place): string[] {
  const [was, is] = [listOf(before['anyOf']), listOf(after['anyOf'])] as Schema[][];
  if (was === undefined || was.length === 0) return [];
  const { at, direction } = place;
  const more = direction === 'received' && !ERROR_STATUS.test(at) && (is?.length ?? 0) > was.length;
  return [
    ...(more ? [`${at}: another alternative`] : []),
    ...was.flatMap((one, index) => schema(one, is?.[index] ?? {}, { ...place, at: `${at}(${index})` })),
  ];
}
