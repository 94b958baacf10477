/**
 * The direction of imports, as docs/explanation/architecture.md draws the house:
 * routes → services → domain, store, face; domain knows only the contract; renderer knows only the contract;
 * electron knows nothing of the server; the product never imports what proves it.
 */
const HOUSE = '^(server|renderer|electron|scripts|sdk|bench|e2e|lab|testing)/';

/** Each capability may use those before it, never those after it. */
const CAPABILITIES = [
  'ports',
  'wire',
  'rate-limits',
  'keys',
  'companies',
  'webhooks',
  'phone',
  'matching',
  'usage',
  'connections',
  'passes',
  'people',
  'settling',
  'reviews',
  'runs',
  'changes',
  'capture',
  'v1-v2',
  'operators',
  'maintenance',
  'venue',
  'tickets',
  'find',
  'backup',
  'network',
  'updates',
  'health',
  'papers',
  'demo',
  'setup',
];

const APPS = ['hosted', 'kiosk', 'console', 'docs', 'sdk'];

const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.(test|fixture)\\.tsx?$' },
  to: { path: HOUSE, pathNot: allowed },
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
      from: { path: '^server/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    only('contract-stands-alone', '^server/contract/', '^server/contract/', 'The wire depends on nothing.'),
    only('packages-stand-alone', '^sdk/', '^sdk/', 'Integrators install them without the rest.'),
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
    only(
      'drivers-know-no-capability',
      '^server/store/sql/',
      '^server/(store/(sql|schema)/|domain/|contract/)',
      'The port and its drivers are below every table.',
    ),
    only(
      'migrations-stand-alone',
      '^server/store/schema/',
      '^server/(store/(schema/|rows\\.ts)|domain/|contract/)',
      'A migration stays as it is when the code around it changes.',
    ),
    only(
      'data-is-below-the-configuration',
      '^server/data/',
      '^server/((data|services|store|face|domain|contract)/|refusals/refusal\\.ts)',
      'Where the data is, its lock and its key.',
    ),
    only(
      'face-knows-only-domain',
      '^server/face/',
      '^server/((face|domain)/|program-files)',
      'Numbers out of pictures.',
    ),
    only(
      'services-use-store-face-domain',
      '^server/services/',
      '^server/((services|store|face|domain|contract)/|refusals/(refusal|codes)\\.ts|program-files)',
      'Use cases know nothing of HTTP.',
    ),
    only(
      'refusals-know-only-the-contract',
      '^server/refusals/',
      '^server/((refusals|contract)/|services/ports/ids\\.ts)',
      'What may be refused, and how each surface says it.',
    ),
    only(
      'routes-use-services',
      '^server/routes/',
      '^server/(routes|services|refusals|domain|contract)/',
      'A route parses, authorises, calls one service, replies.',
    ),
    only(
      'renderer-imports-only-the-contract',
      '^renderer/',
      '^(renderer/|server/contract/)',
      'Pages see the wire.',
    ),
    {
      name: 'a-page-has-its-own-style',
      severity: 'error',
      comment: 'Style that several pages of the console share is in its theme.',
      from: { path: '^renderer/apps/console/([^/]+)/' },
      to: { path: '\\.css$', pathNot: '^renderer/(ui|apps/console/(theme|shared|$1))/|node_modules' },
    },
    only(
      'electron-stays-outside',
      '^electron/',
      '^electron/',
      'HTTP and a start/stop message, never an import.',
    ),
    ...CAPABILITIES.map((capability, place) => ({
      name: `${capability}-uses-earlier-capabilities-only`,
      severity: 'error',
      comment: 'The order of capabilities in docs/explanation/architecture.md.',
      from: { path: `^server/services/${capability}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^server/services/(${CAPABILITIES.slice(place + 1).join('|') || '-'})/` },
    })),
    {
      name: 'a-capability-has-a-place-in-the-order',
      severity: 'error',
      from: {},
      to: { path: '^server/services/', pathNot: `^server/services/(${CAPABILITIES.join('|')})/` },
    },
    ...APPS.map((app) => ({
      name: `${app}-imports-no-other-app`,
      severity: 'error',
      from: { path: `^renderer/apps/${app}/` },
      to: { path: '^renderer/apps/', pathNot: `^renderer/apps/${app}/` },
    })),
    {
      name: 'shared-pages-know-no-app',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/apps/|\\.test\\.tsx?$' },
      to: { path: '^renderer/apps/' },
    },
    {
      name: 'product-imports-no-proof',
      severity: 'error',
      from: { path: '^(server|renderer|electron)/', pathNot: '\\.(test|fixture)\\.tsx?$' },
      to: { path: '(\\.(test|fixture)\\.tsx?$|^(e2e|bench|lab|testing|scripts)/)' },
    },
    {
      name: 'testing-serves-every-proof',
      severity: 'error',
      from: { path: '^testing/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { path: '^(e2e|bench|lab|scripts|renderer/apps)/' },
    },
    {
      name: 'scripts-prepare-proofs-and-use-none',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(e2e|bench|lab)/' },
    },
    {
      name: 'end-to-end-tests-use-no-bench',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^(bench|lab)/' },
    },
    {
      name: 'lab-and-bench-start-no-test',
      severity: 'error',
      from: { path: '^(lab|bench)/' },
      to: { path: '(\\.(test|spec)\\.ts$)' },
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
