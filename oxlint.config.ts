import { defineConfig, type OxlintConfig } from 'oxlint';

type Rules = NonNullable<OxlintConfig['rules']>;

/** Refused beyond Oxlint's category of code that is certainly wrong. */
const STRICT = [
  'eqeqeq',
  'no-array-constructor',
  'no-case-declarations',
  'no-console',
  'no-empty',
  'no-fallthrough',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-unexpected-multiline',
  'no-useless-assignment',
  'no-useless-constructor',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'preserve-caught-error',
  'typescript/consistent-type-imports',
  'typescript/no-deprecated',
  'typescript/no-dynamic-delete',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extraneous-class',
  'typescript/no-generated-empty-object-type',
  'typescript/no-invalid-void-type',
  'typescript/no-misused-promises',
  'typescript/no-mixed-enums',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-nullish-coalescing',
  'typescript/no-non-null-assertion',
  'typescript/no-require-imports',
  'typescript/no-unnecessary-boolean-literal-compare',
  'typescript/no-unnecessary-template-expression',
  'typescript/no-unnecessary-type-arguments',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unnecessary-type-conversion',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-function-type',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/only-throw-error',
  'typescript/prefer-literal-enum-member',
  'typescript/prefer-promise-reject-errors',
  'typescript/prefer-reduce-type-parameter',
  'typescript/prefer-return-this-type',
  'typescript/related-getter-setter-pairs',
  'typescript/switch-exhaustiveness-check',
  'typescript/unified-signatures',
  'typescript/use-unknown-in-catch-callback-variable',
] as const;

const WITH_OPTIONS: Rules = {
  'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  // Tests sort short lists of one kind as text.
  'typescript/require-array-sort-compare': 'off',
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
};

const PAGE_TEXT = 'Move this text into a catalogue.';
const CHOSEN_LANGUAGE = 'Format in the language that was chosen on the page, not in the browser’s.';

export default defineConfig({
  // The samples for integrators are outside our TypeScript projects; a test runs them. The floor is ECMAScript 5 on purpose.
  ignorePatterns: ['.cache', 'dist', 'coverage', 'test-results', 'docs/webhooks', 'renderer/ui/floor.js'],
  options: { typeAware: true },
  plugins: ['typescript', 'react', 'oxc'],
  jsPlugins: ['./scripts/lint/plugin.ts'],
  categories: { correctness: 'error' },
  rules: { ...Object.fromEntries(STRICT.map((rule) => [rule, 'error'])), ...WITH_OPTIONS },
  overrides: [
    {
      files: ['renderer/**/*.{ts,tsx}'],
      rules: { 'react/rules-of-hooks': 'error', 'react/unsupported-syntax': 'error' },
    },
    {
      // A service names the ports it uses.
      files: ['server/services/*/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'gatehouse/restricted-syntax': [
          'error',
          {
            selector:
              ":not(TSTypeParameterInstantiation, TSIndexedAccessType) > TSTypeReference[typeName.name='Ports']",
            message: "Name the ports that are used: Pick<Ports, 'db' | 'clock'>.",
          },
        ],
      },
    },
    {
      // Texts for people belong in locales/. Names, addresses and units are not messages.
      files: ['renderer/**/*.{ts,tsx}', 'electron/**/*.ts', 'server/routes/**/*.ts', 'server/http/**/*.ts'],
      excludeFiles: ['**/*.test.ts', '**/*.fixture.ts', 'server/routes/trust/profile.ts'],
      rules: {
        'gatehouse/restricted-syntax': [
          'error',
          { selector: 'JSXText[value=/\\p{L}{2}[^]*\\s[^]*\\p{L}{2}/u]', message: PAGE_TEXT },
          {
            selector:
              'JSXAttribute[name.name=/^(alt|aria-label|description|label|title)$/] > Literal[value=/^(?!(curl|Gatehouse)$).*\\p{L}{2}/u]',
            message: PAGE_TEXT,
          },
          {
            selector: 'TemplateElement[value.raw=/>(?!Gatehouse<)[^<>{}]*\\p{L}{2}[^<>{}]*<\\u002f/u]',
            message: PAGE_TEXT,
          },
          {
            selector: 'CallExpression[arguments.length=0][callee.property.name=/^toLocale/]',
            message: CHOSEN_LANGUAGE,
          },
          {
            selector:
              ":matches(NewExpression, CallExpression)[arguments.length=0][callee.object.name='Intl']",
            message: CHOSEN_LANGUAGE,
          },
        ],
      },
    },
    {
      files: ['scripts/**', 'bench/**', 'lab/**', 'e2e/{pictures,soak}/**', 'server/cli.ts', 'server/cli/**'],
      rules: { 'no-console': 'off' },
    },
    {
      // Tools read their configuration and their plugins from a default export.
      files: ['*.config.ts', 'e2e/*.config.ts', 'e2e/global-*.ts', 'scripts/lint/plugin.ts'],
      rules: { 'no-restricted-exports': 'off', 'typescript/no-deprecated': 'off' },
    },
    {
      // CommonJS is outside our TypeScript projects.
      files: ['**/*.cjs'],
      rules: { 'typescript/no-unsafe-assignment': 'off' },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/*.spec.ts', 'e2e/**', 'testing/camera/**'],
      rules: { 'typescript/no-non-null-assertion': 'off' },
    },
  ],
});
