/** The part of an OpenAPI 3.1 document that the reference reads. */
export type Schema = {
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
};

type Content = { content?: Readonly<Record<string, { schema?: Schema }>> };

export type OpenApiParameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};

export type OpenApiOperation = {
  operationId: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly OpenApiParameter[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content & { description: string }>>;
};

export type OpenApiDocument = {
  info: { title: string; version: string; description?: string };
  servers?: readonly { url: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  'x-reasons'?: readonly string[];
};

/** The schema of a body's JSON. */
export function jsonSchema(body: Content | undefined): Schema | undefined {
  return body?.content?.['application/json']?.schema;
}
