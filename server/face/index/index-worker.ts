/** The worker thread of the index: holds the rows and scans them, so that no search holds up the server's own thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { IndexReply, IndexRequest, IndexSetup } from './index-protocol.ts';
import { PersonIndex } from './person-index.ts';

const port = parentPort;
if (port === null) throw new Error('server/face/index/index-worker.ts runs as a worker thread only');

const { embeddingLength } = workerData as IndexSetup;
const shelves = new Map<string, PersonIndex>();

function partitionOf(name: string): PersonIndex {
  let shelf = shelves.get(name);
  if (!shelf) {
    shelf = new PersonIndex(embeddingLength);
    shelves.set(name, shelf);
  }
  return shelf;
}

/** Whom a search names; nobody for the other requests. */
function carryOut(request: IndexRequest): string[] {
  switch (request.kind) {
    case 'put': {
      const shelf = partitionOf(request.shelf);
      for (const [n, personId] of request.people.entries()) {
        const from = n * embeddingLength;
        shelf.put(personId, request.vectors.subarray(from, from + embeddingLength));
      }
      return [];
    }
    case 'remove':
      for (const personId of request.people) shelves.get(request.shelf)?.remove(personId);
      return [];
    case 'clear':
      shelves.delete(request.shelf);
      return [];
    case 'search':
      return shelves.get(request.shelf)?.candidates(request.probe, request.floor) ?? [];
  }
}

port.on('message', (request: IndexRequest) => {
  const people = carryOut(request);
  const shelf = shelves.get(request.shelf);
  const reply: IndexReply = {
    id: request.id,
    enrolled: shelf?.size ?? 0,
    bytes: shelf?.bytes ?? 0,
    people,
  };
  port.postMessage(reply);
});
