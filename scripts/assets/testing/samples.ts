import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testPhotosDir } from '../paths.ts';

// The smallest ONNX files that tests need.

const FLOAT32 = 1;

/** An ONNX file with one tensor: up to ten weights. @param type as in onnx.proto's `TensorProto.DataType` */
export function onnxOf(weights: readonly number[], type = FLOAT32): Buffer {
  const raw = new Uint8Array(Float32Array.from(weights).buffer);
  const tensor = Buffer.concat([Buffer.from([8 * 2, type]), field(9, raw)]);
  const name = field(2, Buffer.from('test'));
  return Buffer.concat([Buffer.from([8, 6]), name, field(7, Buffer.concat([name, field(5, tensor)]))]);
}

/** A length-delimited field of a protocol buffer; number up to 15, content up to 127 bytes. */
const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([8 * number + 2, content.length]), content]);

// The test photos, for unit tests on the real models.

export async function testPhoto(number: 1 | 2 | 3 | 4 | 5 | 6): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(testPhotosDir(), `sample${number}.jpg`)));
}
