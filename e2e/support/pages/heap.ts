/** Searches a page's JavaScript heap, after a garbage collection. */
import type { Page } from '@playwright/test';

export type Held = {
  /** The searched texts that a string of the heap still contains. */
  texts: string[];
  /** How many objects of each searched class there are. */
  objects: Record<string, number>;
  /** Size of the page's own values, without compiled code, which grows while the browser optimises. */
  dataBytes: number;
};

/** The part that is read here; `nodes` is one flat list of numbers. */
type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
};

/** @param classes names of constructors, such as `ImageBitmap` */
export async function heldInMemory(
  page: Page,
  { texts, classes }: { texts: readonly string[]; classes: readonly string[] },
): Promise<Held> {
  const client = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await client.send('HeapProfiler.enable');
  await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await client.detach();
  const { snapshot, nodes, strings } = JSON.parse(chunks.join('')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')];
  const sizeAt = fields.indexOf('self_size');
  const objects = Object.fromEntries(classes.map((name) => [name, 0]));
  let dataBytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + typeAt] ?? -1];
    const name = strings[nodes[at + nameAt] ?? -1] ?? '';
    if (kind !== 'code' && kind !== 'native') dataBytes += nodes[at + sizeAt] ?? 0;
    // The browser's own objects are "native", named after their class.
    if ((kind === 'native' || kind === 'object') && objects[name] !== undefined) objects[name] += 1;
  }
  return { texts: texts.filter((text) => strings.some((held) => held.includes(text))), objects, dataBytes };
}

/** How many pictures scripts of the page can still reach. */
export async function countBlobs(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  const evaluated = await client.send('Runtime.evaluate', { expression: 'Blob.prototype' });
  const { objects } = await client.send('Runtime.queryObjects', {
    prototypeObjectId: evaluated.result.objectId ?? '',
  });
  const { result } = await client.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await client.detach();
  return result.value as number;
}
