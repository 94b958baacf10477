/** The test photos, for unit tests on the real models. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testPhotosDir } from '../paths.ts';

export async function testPhoto(number: 1 | 2 | 3 | 4 | 5 | 6): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(testPhotosDir(), `sample${number}.jpg`)));
}
