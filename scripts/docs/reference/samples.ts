/** Code for one call in the languages of the reference, without libraries. Keys and IDs come from the environment, never from the code. */
import type { Operation } from './reference.ts';

/** Where an integrator’s own address belongs. */
export const BASE_URL = 'https://verify.example.org';

/** As fences name them, in the order of the reference. */
export const LANGUAGES = ['sh', 'js', 'python', 'php', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];

type Call = {
  method: string;
  /** Text and, at odd places, variables of the environment. */
  url: readonly string[];
  key: { header: string; scheme: string; variable: string };
  /** Undefined if nothing is sent. */
  body: unknown;
};

export const samplesOf = (operation: Operation): Readonly<Record<Language, string>> => {
  const { method, path, generation, request } = operation;
  const call: Call = {
    method,
    url: (BASE_URL + path).split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : variableOf(part))),
    key:
      generation === 'v3'
        ? { header: 'Authorization', scheme: 'Bearer ', variable: 'SK_TEST' }
        : { header: 'API-KEY', scheme: '', variable: 'AK_TEST' },
    body: request?.example,
  };
  return { sh: curl(call), js: node(call), python: python(call), php: php(call), go: go(call) };
};

/** `VYT` is what guides call a result token. */
const variableOf = (parameter: string): string => (parameter === 'token' ? 'VYT' : parameter.toUpperCase());

const lines = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join('\n');
const json = (value: unknown, indent: number | string = 2): string => JSON.stringify(value, null, indent);
/** All lines but the first. */
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
/** The address, with each variable as the language writes it into its text. */
const addressOf = ({ url }: Call, variable: (name: string) => string): string =>
  url.map((part, at) => (at % 2 === 0 ? part : variable(part))).join('');

function curl(call: Call): string {
  const { method, key, body } = call;
  const url = addressOf(call, (name) => `$${name}`);
  const isPlain = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl -sS ${isPlain ? '' : `-X ${method} `}"${url}"`,
    `-H "${key.header}: ${key.scheme}$${key.variable}"`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${json(body, 0).replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

function node(call: Call): string {
  const { method, key, body } = call;
  const env = (name: string) => `\${process.env.${name}}`;
  const url = call.url.length > 1 ? `\`${addressOf(call, env)}\`` : `'${addressOf(call, env)}'`;
  const secret = key.scheme === '' ? `process.env.${key.variable}` : `\`${key.scheme}${env(key.variable)}\``;
  return lines(
    `const reply = await fetch(${url}, {`,
    method !== 'GET' && `  method: '${method}',`,
    '  headers: {',
    `    '${key.header}': ${secret},`,
    body !== undefined && "    'Content-Type': 'application/json',",
    '  },',
    body !== undefined && `  body: JSON.stringify(${indented(json(body), '  ')}),`,
    '});',
    'if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);',
    'console.log(await reply.text());',
  );
}

function python(call: Call): string {
  const { method, key, body } = call;
  const env = (name: string) => `{os.environ['${name}']}`;
  const text = (template: string) => `${template.includes('{') ? 'f' : ''}"${template}"`;
  const literal = (body === undefined ? '' : json(body, 4)).replaceAll(
    /^(\s*(?:"[^"]*": )?)(true|false|null)(?=,?$)/gm,
    (_, before: string, word: 'true' | 'false' | 'null') =>
      before + { true: 'True', false: 'False', null: 'None' }[word],
  );
  return lines(
    body !== undefined && 'import json',
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${text(addressOf(call, env))},`,
    `    method="${method}",`,
    '    headers={',
    `        "${key.header}": ${text(key.scheme + env(key.variable))},`,
    body !== undefined && '        "Content-Type": "application/json",',
    '    },',
    body !== undefined && `    data=json.dumps(${indented(literal, '    ')}).encode(),`,
    ')',
    'with urllib.request.urlopen(request) as reply:',
    '    print(reply.read().decode())',
  );
}

function php(call: Call): string {
  const { method, key, body } = call;
  const url = addressOf(call, (name) => `' . getenv('${name}') . '`);
  return lines(
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    `        '${key.header}: ${key.scheme}' . getenv('${key.variable}'),`,
    body !== undefined && "        'Content-Type: application/json',",
    '    ],',
    body !== undefined && `    'content' => json_encode(${indented(phpLiteral(body), '    ')}),`,
    ']]);',
    `$reply = file_get_contents('${url}', false, $context);`,
    'if ($reply === false) exit(1);',
    'echo $reply;',
  );
}

function phpLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  // PHP writes an empty array as a list.
  if (entries.length === 0 && !Array.isArray(value)) return 'new stdClass()';
  const rows = entries.map(([name, inner]) =>
    Array.isArray(value) ? phpLiteral(inner) : `'${name}' => ${phpLiteral(inner)}`,
  );
  return `[\n${rows.map((row) => `    ${indented(row, '    ')},\n`).join('')}]`;
}

function go(call: Call): string {
  const { method, key, body } = call;
  const url = `"${addressOf(call, (name) => `" + os.Getenv("${name}") + "`)}"`.replace(/ \+ ""$/, '');
  const sent = body === undefined ? 'nil' : 'body';
  return lines(
    'package main\n',
    'import (',
    ...['fmt', 'io', 'log', 'net/http', 'os'].map((name) => `\t"${name}"`),
    body !== undefined && '\t"strings"',
    ')\n',
    'func main() {',
    body !== undefined && `\tbody := strings.NewReader(\`${indented(json(body, '\t'), '\t')}\`)`,
    `\trequest, err := http.NewRequest("${method}", ${url}, ${sent})`,
    '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
    `\trequest.Header.Set("${key.header}", ${key.scheme === '' ? '' : `"${key.scheme}"+`}os.Getenv("${key.variable}"))`,
    body !== undefined && '\trequest.Header.Set("Content-Type", "application/json")',
    '\treply, err := http.DefaultClient.Do(request)',
    '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
    '\tdefer reply.Body.Close()',
    '\tanswer, err := io.ReadAll(reply.Body)',
    '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
    '\tif reply.StatusCode >= 300 {\n\t\tlog.Fatal(reply.Status, ": ", string(answer))\n\t}',
    '\tfmt.Println(string(answer))',
    '}',
  );
}
