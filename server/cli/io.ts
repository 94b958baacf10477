import { visibleLine } from '../domain/visible.ts';

/** An error with a message for the user of the command. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** The first 22 that runs TypeScript sources by default. */
const OLDEST_NODE = [22, 18] as const;
/** Required by the SQLite driver's prebuilt binaries, which otherwise end the process with a segmentation fault. */
const OLDEST_NAPI = 10;

/**
 * Call it before anything opens a database or loads a model.
 * @param versions `process.versions`
 * @throws CliError
 */
export function refuseOldNode({ node = '', napi }: Partial<NodeJS.ProcessVersions>): void {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isNewEnough && Number(napi) >= OLDEST_NAPI) return;
  throw new CliError(
    `This needs Node.js ${oldestMajor}.${oldestMinor} or newer, and ${process.execPath} is ${node}. ` +
      'Run it with the Node.js that came with Gatehouse, or install a newer one.',
  );
}

type OptionValues = Record<string, string | boolean | (string | boolean)[] | undefined>;
export type CommandInput = { values: OptionValues; positionals: string[] };

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** On standard error, so that the result stays one value. */
export const warn = (text: string): boolean => process.stderr.write(`gatehouse: ${visibleLine(text)}\n`);

/** Prints one JSON value with `--json`, else readable text. */
export function answer({ values }: CommandInput, value: unknown): void {
  print(values['json'] === true ? visibleLine(JSON.stringify(value)) : readable(value));
}

function readable(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}(none)`;
    return value.map((item) => readable(item, indent)).join(`\n${indent}\n`);
  }
  if (isLeaf(value)) return `${indent}${leaf(value)}`;
  return Object.entries(value as object)
    .map(([name, inner]) =>
      isLeaf(inner)
        ? `${indent}${visibleLine(name)}: ${leaf(inner)}`
        : `${indent}${visibleLine(name)}:\n${readable(inner, `${indent}  `)}`,
    )
    .join('\n');
}

const isLeaf = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.length === 0);
const leaf = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  return visibleLine(typeof value === 'string' ? value : JSON.stringify(value));
};

export function optionalText({ values }: CommandInput, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** All values of a repeatable option; undefined if it was not given. */
export function repeatedTexts({ values }: CommandInput, name: string): string[] | undefined {
  const given = values[name];
  return Array.isArray(given) ? given.filter((value) => typeof value === 'string') : undefined;
}

/** The value of an option with choices; Commander refuses all others. */
export function optionalChoice<Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = optionalText(input, name);
  return choices.find((choice) => choice === value);
}

/** @throws CliError if the option is missing */
export function requiredChoice<Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = optionalChoice(input, name, choices);
  if (value === undefined) throw new CliError(`--${name} is needed.`);
  return value;
}

/** @throws CliError if the option is missing or empty */
export function requiredText(input: CommandInput, name: string): string {
  const value = optionalText(input, name)?.trim();
  if (!value) throw new CliError(`--${name} is needed.`);
  return value;
}
