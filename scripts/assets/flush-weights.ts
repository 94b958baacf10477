/**
 * Sets the tiny weights of an ONNX model to 0. Products with them are denormal numbers, on which processors are up to a
 * hundred times slower. The file keeps its length and everything else; the same input always gives the same bytes.
 *
 * The field numbers are those of the public onnx.proto.
 */
const MODEL_GRAPH = 7;
const GRAPH_INITIALIZER = 5;
const TENSOR_DATA_TYPE = 2;
const TENSOR_RAW_DATA = 9;
const FLOAT32 = 1;
const FLOAT32_BYTES = 4;

/** The wire types of the protocol buffer encoding. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** For a varint, `start` and `end` enclose its bytes; otherwise the content. Offsets are those of the file. */
type Field = { number: number; wireType: number; start: number; end: number };

/**
 * @param model bytes of the ONNX file
 * @param below magnitude from which weights are kept
 * @returns a copy in which all smaller float32 weights are 0
 * @throws Error if the bytes are not an ONNX file
 */
export function flushTinyWeights(model: Uint8Array, below: number): Uint8Array {
  const flushed = new Uint8Array(model);
  for (const { start, end } of float32Weights(flushed)) {
    if ((end - start) % FLOAT32_BYTES !== 0) throw new Error('a float32 tensor has an odd length');
    const view = new DataView(flushed.buffer, flushed.byteOffset + start, end - start);
    for (let at = 0; at < view.byteLength; at += FLOAT32_BYTES) {
      if (Math.abs(view.getFloat32(at, true)) < below) view.setUint32(at, 0, true);
    }
  }
  return flushed;
}

/** @returns the smallest magnitude among the non-zero float32 weights; `Infinity` if there are none */
export function smallestWeight(model: Uint8Array): number {
  let smallest = Infinity;
  for (const { start, end } of float32Weights(model)) {
    const view = new DataView(model.buffer, model.byteOffset + start, end - start);
    for (let at = 0; at < view.byteLength; at += FLOAT32_BYTES) {
      const magnitude = Math.abs(view.getFloat32(at, true));
      if (magnitude > 0 && magnitude < smallest) smallest = magnitude;
    }
  }
  return smallest;
}

/** The bytes of every float32 tensor of the graph. */
function float32Weights(model: Uint8Array): Field[] {
  const graphs = fieldsOf(model, 0, model.length).filter(isMessage(MODEL_GRAPH));
  const tensors = graphs.flatMap(({ start, end }) =>
    fieldsOf(model, start, end).filter(isMessage(GRAPH_INITIALIZER)),
  );
  return tensors.flatMap(({ start, end }) => {
    const fields = fieldsOf(model, start, end);
    const isFloat32 = fields.some(
      (field) =>
        field.number === TENSOR_DATA_TYPE && field.wireType === VARINT && model[field.start] === FLOAT32,
    );
    return isFloat32 ? fields.filter(isMessage(TENSOR_RAW_DATA)) : [];
  });
}

const isMessage =
  (number: number) =>
  (field: Field): boolean =>
    field.number === number && field.wireType === LENGTH_DELIMITED;

function fieldsOf(bytes: Uint8Array, from: number, to: number): Field[] {
  const fields: Field[] = [];
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = at < to ? bytes[at++] : undefined;
      if (byte === undefined) throw new Error('not an ONNX file: it ends in the middle of a field');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < to) {
    const key = varint();
    const wireType = key % 8;
    const number = (key - wireType) / 8;
    let start = at;
    if (wireType === VARINT) varint();
    else if (wireType === FIXED32) at += 4;
    else if (wireType === FIXED64) at += 8;
    else if (wireType === LENGTH_DELIMITED) {
      const length = varint();
      start = at;
      at += length;
    } else throw new Error(`not an ONNX file: wire type ${wireType}`);
    if (at > to) throw new Error('not an ONNX file: it ends in the middle of a field');
    fields.push({ number, wireType, start, end: at });
  }
  return fields;
}
