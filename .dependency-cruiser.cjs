/**
 * The direction of imports, as the house is laid out:
 * routes → services → domain, services → store and face; domain knows only the contract.
 * renderer knows only the contract; electron knows nothing of the server's inside.
 */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: '^(server|renderer|electron|scripts|bench|e2e)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency-in-the-server',
      severity: 'error',
      from: { path: '^server/', pathNot: '(\\.test\\.ts$|^testing/service/)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    only('contract-stands-alone', '^server/contract/', '^server/contract/', 'The wire depends on nothing.'),
    only('domain-is-pure', '^server/domain/', '^server/(domain|contract)/', 'Rules see no I/O.'),
    {
      name: 'domain-has-no-io',
      severity: 'error',
      comment: 'No clock, no files, no network, no SQL in a rule.',
      from: { path: '^server/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(net|crypto|buffer)$' },
    },
    only(
      'store-knows-only-domain',
      '^server/store/',
      '^server/(store|domain|contract)/',
      'Rows and their types.',
    ),
    only('face-knows-only-domain', '^server/face/', '^server/(face|domain)/', 'Numbers out of pictures.'),
    only(
      'services-use-store-face-domain',
      '^server/services/',
      '^server/(services|store|face|domain|contract)/',
      'Use cases know nothing of HTTP.',
    ),
    only(
      'routes-use-services',
      '^server/routes/',
      '^server/(routes|services|domain|contract)/',
      'A route parses, authorises, calls one service, replies.',
    ),
    only(
      'renderer-imports-only-the-contract',
      '^renderer/',
      '^(renderer/|server/contract/)',
      'Pages see the wire.',
    ),
    only(
      'electron-stays-outside',
      '^electron/',
      '^electron/',
      'HTTP and a start/stop message, never an import.',
    ),
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(server|renderer|electron)/', pathNot: '(\\.test\\.tsx?$|^testing/service/)' },
      to: { path: '(\\.test\\.tsx?$|^e2e/|^bench/|^scripts/|^testing/service/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^\\.cache/|^dist/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
