import { rm } from 'node:fs/promises';

/** Deletes files and folders; one that cannot be deleted keeps none of the others. @throws the first failure, at the end */
export async function removeEach(paths: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(paths.map((path) => rm(path, { recursive: true, force: true })));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
