/**
 * An ESLint rule: what pages call has to exist in the oldest browsers of `browserslist` (package.json). It finds where
 * TypeScript's own libraries declare a property and looks that up in MDN's compatibility data, so it also sees static
 * methods such as `URL.parse` and methods of values, which `eslint-plugin-compat` does not.
 */
import compatData, { type CompatStatement } from '@mdn/browser-compat-data' with { type: 'json' };
import { ESLintUtils } from '@typescript-eslint/utils';
import browserslist from 'browserslist';
import ts from 'typescript';

/** Names of browsers in `browserslist` and in MDN's data. A web view has the version of its Chrome. */
const BROWSERS = [
  ['chrome', 'chrome'],
  ['and_chr', 'chrome_android'],
  ['and_chr', 'webview_android'],
  ['edge', 'edge'],
  ['firefox', 'firefox'],
  ['and_ff', 'firefox_android'],
  ['safari', 'safari'],
  ['ios_saf', 'safari_ios'],
  ['samsung', 'samsunginternet_android'],
] as const;

type Floor = { browser: (typeof BROWSERS)[number][1]; version: number };

/** From the query itself: the list of a mobile browser only ever names its newest version. */
function floorOf(queries: readonly string[]): Floor[] {
  return BROWSERS.flatMap(([name, browser]) => {
    const version = queries
      .map((query) => new RegExp(`^${name} >= ([\\d.]+)$`).exec(query)?.[1])
      .find(Boolean);
    return version === undefined ? [] : [{ browser, version: Number(version) }];
  });
}

const numberOf = (version: unknown): number =>
  typeof version === 'string' ? Number.parseFloat(version.replace(/^\D+/, '')) : Number.NaN;

/** The first browser of the floor that lacks it; null where all have it, were it with small differences. */
function lacking(compat: CompatStatement, floor: readonly Floor[]): string | null {
  const missing = floor.find(({ browser, version }) => {
    const support = compat.support[browser];
    if (support === undefined) return false;
    return !(Array.isArray(support) ? support : [support]).some(
      ({ version_added: added, version_removed: removed, flags }) =>
        flags === undefined &&
        numberOf(added) <= version &&
        (removed === undefined || numberOf(removed) > version),
    );
  });
  return missing === undefined ? null : `${missing.browser} ${missing.version}`;
}

/** As MDN files it: `Array`, `api.URL.parse_static`, … */
function compatOf(owner: string, property: string): CompatStatement | undefined {
  const isConstructor = owner.endsWith('Constructor');
  const name = owner
    .replace(/Constructor$/, '')
    .replace(/^Readonly(?=Array|Map|Set)/, '')
    .replace(/^ARIAMixin$/, 'Element');
  const builtin = compatData.javascript.builtins?.[name];
  const api = compatData.api[name];
  const found = builtin?.[property] ?? api?.[isConstructor ? `${property}_static` : property];
  return found?.__compat;
}

/** The interface, or the global, that a property is declared on. */
function ownerOf(declaration: ts.Declaration): string | null {
  const { parent } = declaration;
  if (ts.isInterfaceDeclaration(parent)) return parent.name.text;
  if (
    ts.isTypeLiteralNode(parent) &&
    ts.isVariableDeclaration(parent.parent) &&
    ts.isIdentifier(parent.parent.name)
  ) {
    return `${parent.parent.name.text}Constructor`;
  }
  return null;
}

const floor = floorOf(browserslist.loadConfig({ path: import.meta.dirname }) ?? []);

export const supportedApis = ESLintUtils.RuleCreator.withoutDocs<[{ allowed: string[] }], 'missing'>({
  meta: {
    type: 'problem',
    messages: { missing: '{{name}} is missing in {{browser}}, which pages support.' },
    schema: [
      {
        type: 'object',
        properties: { allowed: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ allowed: [] }],
  },
  create(context) {
    const services = ESLintUtils.getParserServices(context);
    const checker = services.program.getTypeChecker();
    const [{ allowed }] = context.options;
    return {
      MemberExpression(node) {
        if (node.computed) return;
        const symbol = checker.getSymbolAtLocation(services.esTreeNodeToTSNodeMap.get(node.property));
        for (const declaration of symbol?.declarations ?? []) {
          if (!/[\\/]typescript[\\/]lib[\\/]lib\./.test(declaration.getSourceFile().fileName)) continue;
          const owner = ownerOf(declaration);
          if (owner === null || symbol === undefined) continue;
          const compat = compatOf(owner, symbol.name);
          const browser = compat === undefined ? null : lacking(compat, floor);
          const name = `${owner.replace(/Constructor$/, '')}.${symbol.name}`;
          if (browser === null || allowed.includes(name)) continue;
          context.report({ node: node.property, messageId: 'missing', data: { name, browser } });
          return;
        }
      },
    };
  },
});
