/** The operations as a Postman collection (format 2.1.0): keys and the address are variables, bodies are the examples. */
import { GENERATIONS } from '../../contract/operations.ts';
import type { PublicDocument } from './document.ts';

type Operation = {
  tags: string[];
  summary: string;
  description: string;
  parameters?: { in: string; name: string; description?: string; schema?: { default?: string | number } }[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, { description: string; content?: { 'application/json': { example?: unknown } } }>;
  'x-key': string;
};

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const V3_AUTH = { type: 'bearer', bearer: [{ key: 'token', value: '{{sk_test}}', type: 'string' }] };
const CONNECT_AUTH = {
  type: 'apikey',
  apikey: [
    { key: 'key', value: 'API-KEY', type: 'string' },
    { key: 'value', value: '{{ak_test}}', type: 'string' },
    { key: 'in', value: 'header', type: 'string' },
  ],
};
/** Values of path parameters, which people paste in. */
const VARIABLES = ['sk_test', 'ak_test', 'vyt'];

/** @param baseUrl the value of the collection’s `base_url` */
export function postmanCollection({ info, paths }: PublicDocument, baseUrl: string): object {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => itemOf(path, method, operation as Operation)),
  );
  return {
    info: { name: `${info.title} (${info.version}, v2, v1)`, description: info.description, schema: SCHEMA },
    variable: [{ key: 'base_url', value: baseUrl }, ...VARIABLES.map((key) => ({ key, value: '' }))],
    item: [...GENERATIONS].reverse().map((generation) => ({
      name: generation,
      auth: generation === 'v3' ? V3_AUTH : CONNECT_AUTH,
      item: operations.filter(({ tag }) => tag === generation).map(({ item }) => item),
    })),
  };
}

function itemOf(
  path: string,
  method: string,
  operation: Operation,
): { tag: string | undefined; item: object } {
  const { tags, summary, description, requestBody, responses, parameters = [] } = operation;
  const url = urlOf(path, parameters);
  const request = {
    method: method.toUpperCase(),
    description: `${description}\n\nKey: ${operation['x-key']}.`,
    url,
    header: requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : [],
    ...(requestBody && {
      body: {
        mode: 'raw',
        raw: json(requestBody.content['application/json'].example ?? {}),
        options: { raw: { language: 'json' } },
      },
    }),
  };
  const { description: name = '', content } = responses['200'] ?? {};
  const response = {
    name,
    originalRequest: request,
    status: 'OK',
    code: 200,
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: json(content?.['application/json'].example),
    _postman_previewlanguage: 'json',
  };
  return { tag: tags[0], item: { name: summary, request, response: [response] } };
}

function urlOf(path: string, parameters: NonNullable<Operation['parameters']>): object {
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, description }) => ({ key: name, value: '{{vyt}}', description }));
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description, schema }) => ({
      key: name,
      value: String(schema?.default ?? ''),
      description,
      disabled: true,
    }));
  const shown = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return {
    raw: `{{base_url}}${shown}`,
    host: ['{{base_url}}'],
    path: shown.split('/').slice(1),
    ...(variable.length > 0 && { variable }),
    ...(query.length > 0 && { query }),
  };
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
