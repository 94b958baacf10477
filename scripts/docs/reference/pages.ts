/** The reference as Markdown: a page for each operation, the events of each generation, and all errors. */
import type { FieldRow, Operation, Reference } from './reference.ts';
import { type Language, LANGUAGES, samplesOf } from './samples.ts';
import { boundWords, typeWords } from './schema-words.ts';

/** The address of the page of an operation: `/docs/v3/read-confirmation`. */
export const pathOf = ({ generation, id }: Operation): string =>
  `${generation}/${id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function operationPage(operation: Operation, languages: readonly Language[] = LANGUAGES): string {
  const { method, path, summary, description, key, deprecated, request, response } = operation;
  const samples = samplesOf(operation);
  const taken = [...operation.parameters, ...(request?.fields ?? [])];
  return [
    `# ${summary}`,
    `\`${method} ${path}\`${deprecated ? ' (deprecated)' : ''}`,
    description,
    `Key: **${key}**.`,
    '## Example',
    ...languages.map((language) => fence(language, samples[language])),
    'Reply:',
    json(response.example),
    '## Request',
    taken.length === 0 ? 'Takes no fields.' : fieldTable(taken, 'sent'),
    '## Response',
    response.description,
    fieldTable(response.fields, 'returned'),
    '## Errors',
    table(
      ['Status', 'Code', 'Meaning, and what to do'],
      operation.errors.flatMap(({ status, name, codes, note }) => [
        ...(note === null ? [] : [[`${status} ${name}`, '', note]]),
        ...codes.map(({ code, meaning, action }) => [
          `${status} ${name}`,
          `\`${code}\``,
          `${meaning} ${action}`,
        ]),
      ]),
    ),
  ].join('\n\n');
}

/** The calls that the service makes to a server of the generation. */
export function eventsPage(generation: string, { webhooks }: Reference): string {
  return [
    `# Events of ${generation}`,
    'What your server gets, with the fields of each event. [Receive webhooks](/docs/receive-webhooks) explains signatures and retries.',
    ...webhooks
      .filter((event) => event.generation === generation)
      .flatMap(({ summary, description, request }) => [
        `## ${summary}`,
        description,
        json(request?.example),
        fieldTable(request?.fields ?? [], 'returned'),
      ]),
  ].join('\n\n');
}

/** Each code once for each generation, with the statuses it comes with. */
export function errorsPage({ operations }: Reference): string {
  const tableOf = (matches: (operation: Operation) => boolean) => {
    const found = new Map<string, { statuses: Set<number>; words: string }>();
    for (const { errors } of operations.filter(matches))
      for (const { status, codes } of errors)
        for (const { code, meaning, action } of codes) {
          const row = found.get(code) ?? { statuses: new Set(), words: `${meaning} ${action}` };
          found.set(code, { ...row, statuses: row.statuses.add(status) });
        }
    const rows = [...found]
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([code, { statuses, words }]) => [`\`${code}\``, [...statuses].join(', '), words]);
    return table(['Code', 'Status', 'Meaning, and what to do'], rows);
  };
  return [
    '# Errors',
    'A refused request changes nothing. A denied person is not an error: you get 200 with `verified` false. Codes can be added: treat one that you don’t know by its status.',
    '## v3',
    'The code is in `detail`. With 422, `detail` can be a list of problems instead, each with `loc`, `msg` and `type`.',
    tableOf(({ generation }) => generation === 'v3'),
    '## v2 and v1',
    'The body has `status` (`failure`), `failure_code` and `failure_reason`.',
    tableOf(({ generation }) => generation !== 'v3'),
  ].join('\n\n');
}

/** What the `reasons` of a result mean. */
export const reasonsPage = ({ reasons }: Reference): string =>
  [
    '# Reasons',
    'The `reasons` of a confirmation list what was found. More can be added: treat one that you don’t know as a finding. [Events](/docs/events#results-and-reasons) has the words that staff read.',
    table(
      ['Reason', 'Meaning'],
      reasons.map(({ code, meaning }) => [`\`${code}\``, meaning]),
    ),
  ].join('\n\n');

/** A field of a request says whether it is required; one of a reply only if it can be absent. */
function fieldTable(rows: readonly FieldRow[], direction: 'sent' | 'returned'): string {
  const need = direction === 'sent' ? ['', 'required'] : ['may be absent', ''];
  return table(
    ['Field', 'Type', 'Meaning'],
    rows.map((row) => [
      [
        `\`${row.path}\``,
        need[Number(row.required)],
        row.keys === null ? '' : `${row.keys} key`,
        row.deprecated ? 'deprecated' : '',
        'place' in row ? `in the ${String(row.place)}` : '',
      ]
        .filter((tag) => tag !== '')
        .join(' · '),
      [typeWords(row.schema), ...boundWords(row.schema)].join('; '),
      row.description,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'None.';
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2));
