/** The part of an OpenAPI 3.1 document that the reference reads. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  /** The only type of key that may send the field. */
  'x-key'?: 'secret' | 'test';
};

type Body = { content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>> };

type OpenApiParameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};

/** An error code: what it means, and what to do about it. */
export type CodeMeaning = { code: string; meaning: string; action: string };

export type OpenApiOperation = {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly OpenApiParameter[];
  requestBody?: Body;
  responses: Readonly<Record<string, Body & { description: string; 'x-codes'?: readonly CodeMeaning[] }>>;
  'x-key'?: string;
};

type Paths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

export type OpenApiDocument = {
  info: { title: string; version: string; description?: string };
  paths: Paths;
  webhooks?: Paths;
  components?: { schemas?: Readonly<Record<string, Schema>> };
  'x-reasons'?: readonly { code: string; meaning: string }[];
};

/** The JSON of a body: its schema and an example. */
export const jsonOf = (body: Body | undefined) => body?.content?.['application/json'];

const COMPONENTS = '#/components/schemas/';

/** Paths with every reference to a named schema replaced by that schema. */
export function withoutReferences(paths: Paths, named: Readonly<Record<string, Schema>> = {}): Paths {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const reference: unknown = '$ref' in value ? value.$ref : undefined;
    if (typeof reference === 'string') return inline(named[reference.slice(COMPONENTS.length)] ?? {});
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
  };
  return inline(paths) as Paths;
}
