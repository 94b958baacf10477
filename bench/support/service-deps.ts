/** What the applications need on a separate database, without models, webhooks and codes. */
import { createDeniedPictures } from '../../server/services/capture/denied-pictures.ts';
import { randomInt } from 'node:crypto';
import type { FaceEngine } from '../../server/face/engine.ts';
import { systemClock } from '../../server/services/ports/clock.ts';
import { createConnectSigner } from '../../server/services/connections/signer.ts';
import type { ServiceDeps } from '../../server/routes/deps.ts';
import { createRefusalLog } from '../../server/services/keys/refusals.ts';
import { createRequestLog } from '../../server/services/keys/request-log.ts';
import { ALL_WELL } from '../../testing/service/temp-service.ts';
import { SINGLE_NODE } from '../../server/services/maintenance/nodes.ts';
import { openFaceIndex } from '../../server/services/matching/face-index.ts';
import { createResultTokens } from '../../server/services/passes/result-tokens.ts';
import { createSessionEvents } from '../../server/services/runs/sessions/session-events.ts';
import type { Database } from '../../server/store/sql/port.ts';

export async function benchDeps(
  db: Database,
  faces: FaceEngine,
  reads: ServiceDeps['reads'],
): Promise<ServiceDeps> {
  const { embeddingModel: id, embeddingLength } = faces;
  return {
    node: SINGLE_NODE,
    health: ALL_WELL,
    db,
    clock: systemClock,
    wallClock: systemClock,
    deletions: { deletionTime: () => null, doubt: () => null },
    randomInt: (n) => randomInt(n),
    baseUrl: () => 'http://127.0.0.1',
    connectUrl: () => 'http://127.0.0.1',
    trustPage: () => null,
    unsavedActivity: new Map(),
    faces,
    faceIndex: await openFaceIndex(db, { id, embeddingLength }),
    deniedPictures: createDeniedPictures(),
    tokens: await createResultTokens(db, systemClock),
    connect: await createConnectSigner(db, systemClock),
    reads,
    requests: createRequestLog(db, () => undefined),
    refusals: createRefusalLog(db, systemClock, () => undefined),
    events: createSessionEvents(db),
    webhooks: {
      policy: async () => ({ allowHosts: new Set(), ownAddresses: new Set(), ownPorts: new Set() }),
      close: async () => undefined,
    },
    codes: { sends: false, failing: () => null, use: () => undefined, close: async () => undefined },
    maintenance: { retryAfterS: () => null, follow: () => () => undefined, close: () => undefined },
  };
}
