/**
 * Which APIs a page may call: those that the oldest browsers of `browserslist` (package.json) have. TypeScript says where its
 * own libraries declare a name, and MDN's compatibility data says which browsers have it.
 */
import compatData, { type CompatStatement } from '@mdn/browser-compat-data' with { type: 'json' };
import browserslist from 'browserslist';
import path from 'node:path';
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  isTypeLiteralNode,
  isVariableDeclaration,
  type Node,
} from 'typescript-7/unstable/ast';
import { API, type Project, type Symbol as TypeSymbol } from 'typescript-7/unstable/sync';

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

/** From the query itself, because the list of a mobile browser names only its newest version. */
function floorOf(queries: readonly string[]): Floor[] {
  return BROWSERS.flatMap(([name, browser]) => {
    const version = queries
      .map((query) => new RegExp(`^${name} >= ([\\d.]+)$`).exec(query)?.[1])
      .find(Boolean);
    return version === undefined ? [] : [{ browser, version: Number(version) }];
  });
}

const FLOOR = floorOf(browserslist.loadConfig({ path: import.meta.dirname }) ?? []);

const numberOf = (version: unknown): number =>
  typeof version === 'string' ? Number.parseFloat(version.replace(/^\D+/, '')) : Number.NaN;

/** The first browser of the floor that lacks it; null if all have it, perhaps with small differences. */
function lacking(compat: CompatStatement | undefined): string | null {
  if (compat === undefined) return null;
  const missing = FLOOR.find(({ browser, version }) => {
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

/** A name that TypeScript's libraries declare. `owner` is the interface or object it belongs to, null for a global. */
type LibraryName = { owner: string | null; isStatic: boolean; name: string };

const { builtins } = compatData.javascript;
const { api } = compatData;

function compatOf({ owner, isStatic, name }: LibraryName): CompatStatement | undefined {
  if (owner === null) return (builtins?.[name] ?? api[name] ?? api['Window']?.[name])?.__compat;
  const filedUnder = owner.replace(/^Readonly(?=Array|Map|Set)/, '').replace(/^ARIAMixin$/, 'Element');
  const ofLanguage = builtins?.[filedUnder]?.[name];
  return (ofLanguage ?? api[filedUnder]?.[isStatic ? `${name}_static` : name])?.__compat;
}

/** Null for what no library of TypeScript declares. */
function libraryName(project: Project, symbol: TypeSymbol): LibraryName | null {
  const declaration = symbol.declarations.find(({ path: file }) => /\/lib\/lib\.[\w.]+\.d\.ts$/.test(file));
  if (declaration === undefined) return null;
  const { name } = symbol;
  const parent = symbol.getParent()?.name;
  if (parent === undefined) return { owner: null, isStatic: false, name };
  if (parent !== '__type') {
    const isStatic = parent.endsWith('Constructor');
    return { owner: parent.replace(/Constructor$/, ''), isStatic, name };
  }
  // A member of `declare var URL: { … }`.
  const literal = declaration.resolve(project)?.parent;
  if (literal === undefined || !isTypeLiteralNode(literal)) return null;
  const variable = literal.parent;
  if (!isVariableDeclaration(variable) || !isIdentifier(variable.name)) return null;
  return { owner: variable.name.text, isStatic: true, name };
}

/** Every name that the code looks up on a value, calls or constructs. */
function namesIn(root: Node): Node[] {
  const names: Node[] = [];
  const visit = (node: Node): void => {
    if (isPropertyAccessExpression(node)) names.push(node.name);
    if ((isCallExpression(node) || isNewExpression(node)) && isIdentifier(node.expression))
      names.push(node.expression);
    node.forEachChild(visit);
  };
  visit(root);
  return names;
}

/** `at` is `file:line`, `api` for example `URL.parse`, `browser` the first one without it. */
type MissingApi = { at: string; api: string; browser: string };

/**
 * Calls of APIs that some supported browser lacks, in the order of the files.
 * @param tsconfig absolute path of the project's configuration
 * @param isChecked whether a file, as an absolute path with slashes, runs in a browser
 */
export function missingApis(tsconfig: string, isChecked: (file: string) => boolean): MissingApi[] {
  const compiler = new API({ cwd: path.dirname(tsconfig) });
  try {
    const project = compiler.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig);
    if (project === undefined) throw new Error(`${tsconfig} is not a TypeScript project.`);
    const verdicts = new Map<TypeSymbol, { api: string; browser: string } | null>();
    const judge = (symbol: TypeSymbol) => {
      const found = libraryName(project, symbol);
      const browser = found === null ? null : lacking(compatOf(found));
      if (found === null || browser === null) return null;
      return { api: found.owner === null ? found.name : `${found.owner}.${found.name}`, browser };
    };
    const verdictOn = (symbol: TypeSymbol) => {
      const known = verdicts.get(symbol);
      if (known !== undefined) return known;
      const verdict = judge(symbol);
      verdicts.set(symbol, verdict);
      return verdict;
    };
    return project.program
      .getSourceFileNames()
      .filter(isChecked)
      .flatMap((file) => {
        const source = project.program.getSourceFile(file);
        if (source === undefined) return [];
        const names = namesIn(source);
        return project.checker.getSymbolAtLocation(names).flatMap((symbol, index) => {
          const verdict = symbol === undefined ? null : verdictOn(symbol);
          const name = names[index];
          if (verdict === null || name === undefined) return [];
          const line = source.text.slice(0, name.end).split('\n').length;
          return [{ ...verdict, at: `${file}:${line}` }];
        });
      });
  } finally {
    compiler.close();
  }
}
