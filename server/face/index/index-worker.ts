/**
 * The worker thread of the index: stores the rows and scans them, so that no search blocks the server's own thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { IndexReply, IndexRequest, IndexSetup } from './index-protocol.ts';
import { PersonIndex } from './person-index.ts';
import { packedLength } from './quantise.ts';

const port = parentPort;
if (port === null) throw new Error('server/face/index/index-worker.ts runs as a worker thread only');

const { embeddingLength } = workerData as IndexSetup;
const partitions = new Map<string, PersonIndex>();

function partitionOf(name: string): PersonIndex {
  let partition = partitions.get(name);
  if (!partition) {
    partition = new PersonIndex(embeddingLength);
    partitions.set(name, partition);
  }
  return partition;
}

/** The people that a search returns; nobody for other requests. */
function carryOut(request: IndexRequest): string[] {
  switch (request.kind) {
    case 'put': {
      const partition = partitionOf(request.partition);
      for (const [n, personId] of request.people.entries()) {
        const from = n * embeddingLength;
        partition.put(personId, request.vectors.subarray(from, from + embeddingLength));
      }
      return [];
    }
    case 'put_packed': {
      const partition = partitionOf(request.partition);
      const length = packedLength(embeddingLength);
      for (const [n, personId] of request.people.entries())
        partition.putPacked(personId, request.rows.subarray(n * length, (n + 1) * length));
      return [];
    }
    case 'remove':
      for (const personId of request.people) partitions.get(request.partition)?.remove(personId);
      return [];
    case 'clear':
      partitions.delete(request.partition);
      return [];
    case 'search':
      return partitions.get(request.partition)?.candidates(request.probe, request.floor) ?? [];
  }
}

port.on('message', (request: IndexRequest) => {
  const people = carryOut(request);
  const partition = partitions.get(request.partition);
  const reply: IndexReply = {
    id: request.id,
    enrolled: partition?.size ?? 0,
    bytes: partition?.bytes ?? 0,
    people,
  };
  port.postMessage(reply);
});
