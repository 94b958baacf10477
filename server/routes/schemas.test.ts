/** Rules for the schemas of all routes, tested on the ones that check requests. */
import { afterEach, expect, it, vi } from 'vitest';
import { createPublicApp } from '../http/public-app.ts';
import { serverConfig } from '../config.ts';
import { createConsoleApp } from '../http/console-app.ts';
import { createLogger } from '../http/logging.ts';
import type * as Validation from '../services/wire/validation.ts';
import { testInstallation } from '../../testing/service/installation.ts';
import { openTestService } from '../../testing/service/temp-service.ts';
import { tempDir } from '../../testing/store/temp-store.ts';

type Node = {
  type?: string | string[];
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  additionalProperties?: Node | boolean;
  [keyword: string]: unknown;
};

type Checked = { schema: unknown; part: string; check: Validation.Check };

const checked = vi.hoisted(() => ({ schemas: [] as Checked[] }));
vi.mock('../services/wire/validation.ts', async (original) => {
  const real = await original<typeof Validation>();
  return {
    ...real,
    compile: (...[schema, part]: Parameters<typeof real.compile>) => {
      const check = real.compile(schema, part);
      checked.schemas.push({ schema, part, check });
      return check;
    },
  };
});

/** Limits of a text: a maximum length, a closed set, or a format. */
const TEXT_BOUNDS = ['maxLength', 'enum', 'const', 'format', 'pattern'];

function unboundedIn(node: Node, path: string): string[] {
  const types = [node.type].flat();
  const found: string[] = [];
  if (types.includes('string') && !TEXT_BOUNDS.some((keyword) => keyword in node)) found.push(path);
  for (const [name, inner] of Object.entries(node.properties ?? {})) {
    found.push(...unboundedIn(inner, `${path}.${name}`));
  }
  if (types.includes('array') && node.items) {
    if (!('maxItems' in node)) found.push(`${path}[]`);
    found.push(...unboundedIn(node.items, `${path}[]`));
  }
  for (const inner of node.anyOf ?? []) found.push(...unboundedIn(inner, path));
  // A free object is limited as a whole, or by the number and the size of its values.
  const isFree = types.includes('object') && node.properties === undefined;
  const isBounded = 'x-max-json-bytes' in node || ('maxProperties' in node && 'propertyNames' in node);
  if (isFree && !isBounded) found.push(`${path}{}`);
  return found;
}

afterEach(() => checked.schemas.splice(0));

/** The schemas that both applications have compiled when they are ready. */
async function schemasOfAllRoutes(): Promise<readonly Checked[]> {
  const { deps, clock } = await openTestService();
  const config = serverConfig({ dataDir: tempDir() }, {});
  const logger = createLogger('silent');
  const installation = testInstallation(deps.db, clock);
  const apps = [
    await createPublicApp({ deps, logger, ...config }),
    await createConsoleApp({ deps: { ...deps, ...installation }, logger, ...config }),
  ];
  for (const app of apps) await app.ready();
  for (const app of apps) await app.close();
  return checked.schemas;
}

it('every free text of a body or a query has a limit (decisions §6)', async () => {
  // The router's longest parameter limits the parts of a path.
  const sent = (await schemasOfAllRoutes()).filter(({ part }) => part !== 'path');
  expect(sent.length).toBeGreaterThan(80);
  expect(sent.flatMap(({ schema, part }) => unboundedIn(schema as Node, part))).toEqual([]);
});

it('every schema is valid, so that an error in one does not wait for the first request', async () => {
  const broken = (await schemasOfAllRoutes()).filter(({ check }) => {
    try {
      check({});
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(({ schema }) => schema)).toEqual([]);
});
