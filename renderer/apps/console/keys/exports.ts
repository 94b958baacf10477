import type { NewPair } from '../../../../server/contract/console/keys.ts';

/** Names of the shell variables in the documentation's commands. */
const VARIABLES: Readonly<Record<string, string>> = { sk_test: 'SK_TEST', ak_test: 'AK_TEST' };

/**
 * Lines for a shell, so that the documentation's commands can be pasted; null without a key for a server's test checks.
 * @param base address of the service
 */
export function exportsOf({ keys }: Pick<NewPair, 'keys'>, base: string): string | null {
  const lines = keys.flatMap(({ kind, key }) =>
    VARIABLES[kind] === undefined ? [] : [`export ${VARIABLES[kind]}=${key}`],
  );
  return lines.length === 0 ? null : [`export BASE=${base}`, ...lines].join('\n');
}
