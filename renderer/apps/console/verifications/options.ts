/** Options of a config as the form shows them. What the form does not know stays in the config as it is. */

export type Config = Readonly<Record<string, unknown>>;

/** The value at a dotted name; undefined where any part of the way is missing. */
export function optionOf(config: Config, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), config);
}

/** The config with one option set; undefined takes it away, and with it an object that holds nothing else. */
export function withOption(config: Config, name: string, value: unknown): Config {
  const [first = '', ...rest] = name.split('.');
  const { [first]: before, ...others } = config;
  if (rest.length === 0) return value === undefined ? others : { ...config, [first]: value };
  const inner = withOption(isObject(before) ? before : {}, rest.join('.'), value);
  return Object.keys(inner).length === 0 ? others : { ...config, [first]: inner };
}

/** The object that a text is the JSON of; null where it is none. */
export function parseConfig(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
