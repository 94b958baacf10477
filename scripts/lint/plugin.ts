/** A rule that Oxlint lacks, as ESLint has it: refuses syntax by selectors (https://eslint.org/docs/latest/extend/selectors). */

type Refused = { selector: string; message: string };
type Context = { options: readonly Refused[]; report: (problem: { node: unknown; message: string }) => void };

const restrictedSyntax = {
  meta: { schema: false },
  create: ({ options, report }: Context) =>
    Object.fromEntries(
      options.map(({ selector, message }) => [selector, (node: unknown) => report({ node, message })]),
    ),
};

export default { meta: { name: 'gatehouse' }, rules: { 'restricted-syntax': restrictedSyntax } };
