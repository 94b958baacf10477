/**
 * The public application on a separate database, and two routes that do nothing: the cost of HTTP and JSON alone in
 * the same process. Prints one line of JSON when it listens; ends when its input does.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { createPublicApp } from '../server/http/public-app.ts';
import { serverConfig } from '../server/config.ts';
import { openDatabase } from '../server/data/folder.ts';
import { createUnavailableEngine } from '../server/face/engine.ts';
import { createLogger } from '../server/http/logging.ts';
import { SINGLE_NODE } from '../server/services/maintenance/nodes.ts';
import { systemClock } from '../server/services/clock.ts';
import { createCompany } from '../server/services/companies/companies.ts';
import type { ServiceDeps } from '../server/services/deps.ts';
import { createConnectSigner } from '../server/services/connections/signer.ts';
import { openFaceIndex } from '../server/services/matching/face-index.ts';
import { createUsageTracker } from '../server/services/keys/usage-tracker.ts';
import { createRefusalLog } from '../server/services/keys/refusals.ts';
import { createResultTokens } from '../server/services/passes/result-tokens.ts';
import { createSessionEvents } from '../server/services/runs/session-events.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
const config = serverConfig({ dataDir, port: '0' });
const db = await openDatabase(dataDir);
const faces = createUnavailableEngine(config);
const logger = createLogger('fatal');
const deps: ServiceDeps = {
  db,
  clock: systemClock,
  wallClock: systemClock,
  deletions: { deletionTime: () => null, doubt: () => null },
  randomInt: (n) => randomInt(n),
  baseUrl: () => 'http://127.0.0.1',
  faces,
  faceIndex: await openFaceIndex(db, { id: faces.embeddingModel, embeddingLength: faces.embeddingLength }),
  tokens: await createResultTokens(db, systemClock),
  connect: await createConnectSigner(db, systemClock),
  reads: createUsageTracker(db, systemClock, () => undefined),
  refusals: createRefusalLog(db, systemClock, () => undefined),
  events: createSessionEvents(db),
  webhooks: {
    policy: async () => ({ allowHosts: new Set(), ownAddresses: new Set() }),
    close: async () => undefined,
  },
  codes: { sends: false, use: () => undefined, close: async () => undefined },
  maintenance: { retryAfterS: () => null, close: () => undefined },
  node: SINGLE_NODE,
};
const company = await createCompany(db, systemClock, { name: 'Bench', actor: 'cli' });
const app = await createPublicApp({ deps, logger, ...config });
app.get('/noop', () => ({ status: 'ok' }));
app.post('/noop', () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(
  `${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, key: company.keys.sk_test })}\n`,
);

process.stdin.resume();
process.stdin.on('end', () => {
  void (async () => {
    await app.close();
    await deps.reads.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  })();
});
