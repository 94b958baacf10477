/**
 * Reads the triangles of the canonical face mesh from face_landmarker.task: a stored ZIP whose last entry is
 * MediaPipe's GeometryPipelineMetadata (protobuf: field 1 canonical_mesh, in it field 4 index_buffer).
 */
export type Triangle = readonly [number, number, number];

const GEOMETRY_ENTRY = 'geometry_pipeline_metadata_landmarks.binarypb';
const CANONICAL_MESH = 1;
const INDEX_BUFFER = 4;

export function meshTriangles(faceTask: Uint8Array): Triangle[] {
  const indices = [...fields(storedEntry(faceTask, GEOMETRY_ENTRY))]
    .filter(({ number }) => number === CANONICAL_MESH)
    .flatMap(({ bytes }) => [...fields(bytes)])
    .filter(({ number }) => number === INDEX_BUFFER)
    .flatMap(({ bytes, value }) => (bytes.length > 0 ? varints(bytes) : [value]));
  return Array.from({ length: indices.length / 3 }, (_, triangle) => [
    indices[3 * triangle]!,
    indices[3 * triangle + 1]!,
    indices[3 * triangle + 2]!,
  ]);
}

function storedEntry(zip: Uint8Array, name: string): Uint8Array {
  const buffer = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  let at = 0;
  while (buffer.readUInt32LE(at) === 0x04034b50) {
    const size = buffer.readUInt32LE(at + 18);
    const nameEnd = at + 30 + buffer.readUInt16LE(at + 26);
    const start = nameEnd + buffer.readUInt16LE(at + 28);
    if (buffer.toString('utf8', at + 30, nameEnd) === name) return buffer.subarray(start, start + size);
    at = start + size;
  }
  throw new Error(`the task holds no ${name}`);
}

type ProtoField = { number: number; bytes: Uint8Array; value: number };

function* fields(message: Uint8Array): Generator<ProtoField> {
  let at = 0;
  while (at < message.length) {
    const key = varint(message, at);
    at = key.end;
    const [number, wireType] = [key.value >>> 3, key.value & 7];
    if (wireType === 0) {
      const { value, end } = varint(message, at);
      yield { number, value, bytes: new Uint8Array(0) };
      at = end;
    } else if (wireType === 2) {
      const { value: length, end } = varint(message, at);
      yield { number, value: 0, bytes: message.subarray(end, end + length) };
      at = end + length;
    } else if (wireType === 5) {
      at += 4;
    } else {
      throw new Error(`unexpected wire type ${wireType}`);
    }
  }
}

function varint(bytes: Uint8Array, start: number): { value: number; end: number } {
  let [value, end, shift] = [0, start, 0];
  let byte: number;
  do {
    byte = bytes[end++] ?? 0;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  return { value: value >>> 0, end };
}

function varints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const { value, end } = varint(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}
