import js from '@eslint/js';
import compat from 'eslint-plugin-compat';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { supportedApis } from './scripts/lint/supported-apis.ts';

export default tseslint.config(
  // Samples for integrators stand outside our projects; a test runs them.
  {
    ignores: [
      'node_modules',
      '.cache',
      'dist',
      'coverage',
      'test-results',
      'docs/webhooks',
      // ECMAScript 5 on purpose; the build puts words into it.
      'renderer/ui/floor.js',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.cjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Row types of the store are given at the call, which this rule takes for a cast.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Data shapes are types; only what is extended or implemented is an interface elsewhere.
    files: ['renderer/**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules },
  },
  {
    // What pages are made of runs in the browsers of `browserslist` in package.json.
    files: ['renderer/**/*.{ts,tsx}', 'server/contract/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.fixture.ts'],
    plugins: { compat, floor: { rules: { 'supported-apis': supportedApis } } },
    rules: {
      'compat/compat': 'error',
      'floor/supported-apis': [
        'error',
        {
          // Called only where the browser has them.
          allowed: ['HTMLVideoElement.requestVideoFrameCallback', 'PermissionStatus.state'],
        },
      ],
    },
  },
  {
    // These ask for what some browsers lack, and are prepared for its absence.
    files: [
      'renderer/capture/camera-permission.ts',
      'renderer/capture/wake-lock.ts',
      'renderer/apps/kiosk/speech.ts',
      'renderer/apps/console/door/alerts.ts',
    ],
    rules: { 'compat/compat': 'off', 'floor/supported-apis': 'off' },
  },
  {
    // A service names the ports it uses.
    files: ['server/services/**/*.ts'],
    ignores: ['server/services/deps.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':not(TSTypeParameterInstantiation, TSIndexedAccessType) > TSTypeReference[typeName.name=/^(ServiceDeps|ConsoleDeps)$/]',
          message: "Name the ports that are used: Pick<ServiceDeps, 'db' | 'clock'>.",
        },
      ],
    },
  },
  {
    // Texts for people live in locales/; names, addresses and units are no messages.
    files: ['renderer/**/*.{ts,tsx}', 'electron/**/*.ts', 'server/routes/**/*.ts', 'server/http/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.fixture.ts', 'server/routes/trust/profile.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXText[value=/\\p{L}{2}[^]*\\s[^]*\\p{L}{2}/u]',
          message: 'Move this text into a catalogue.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(alt|aria-label|description|label|title)$/] > Literal[value=/^(?!(curl|Gatehouse)$).*\\p{L}{2}/u]',
          message: 'Move this text into a catalogue.',
        },
        {
          selector: 'TemplateElement[value.raw=/>(?!Gatehouse<)[^<>{}]*\\p{L}{2}[^<>{}]*<\\u002f/u]',
          message: 'Move this text into a catalogue.',
        },
      ],
    },
  },
  {
    files: ['scripts/**', 'bench/**', 'lab/**', 'server/cli.ts', 'server/cli/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tools that read their configuration from a default export.
    files: ['*.config.ts', 'e2e/*.config.ts', 'e2e/global-*.ts'],
    rules: { 'no-restricted-exports': 'off', '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', '**/*.spec.ts', 'e2e/**', 'testing/camera/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.cjs', '**/*.js', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { globals: globals.node },
  },
);
