/** Options of a config as the form shows them. Options unknown to the form stay unchanged. */

export type Config = Readonly<Record<string, unknown>>;

/** The value at a dotted name; undefined if any part of the path is missing. */
export function optionOf(config: Config, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), config);
}

/** The config with one option set; undefined removes it, and with it an object that becomes empty. */
export function withOption(config: Config, name: string, value: unknown): Config {
  const [first = '', ...rest] = name.split('.');
  const { [first]: before, ...others } = config;
  if (rest.length === 0) return value === undefined ? others : { ...config, [first]: value };
  const inner = withOption(isObject(before) ? before : {}, rest.join('.'), value);
  return Object.keys(inner).length === 0 ? others : { ...config, [first]: inner };
}

/** The object in a JSON text; null if it is not one. */
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
