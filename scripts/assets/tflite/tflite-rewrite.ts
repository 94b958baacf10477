/**
 * Puts input normalisation metadata, and optionally extra operators, in front of a .tflite model without changing its
 * bytes. Slots are those of TFLite's schema.fbs (version 3) and metadata_schema.fbs.
 */
import { FlatbufferReader } from './flatbuffer-reader.ts';
import { writeFront, type Field, type Node } from './flatbuffer-front.ts';

/** TFLite builtin operators used here, with their options' type number in the BuiltinOptions union. */
const OPERATORS = {
  concatenation: { code: 2, options: 10 },
  gather: { code: 36, options: 23 },
  mean: { code: 40, options: 27 },
} as const;

const TENSOR_TYPES = { float32: 0, int32: 2 } as const;

/** Appends to the model's graph; tensors are identified by index. */
type GraphEditor = {
  value(name: string, shape: readonly number[]): number;
  constant(name: string, shape: readonly number[], values: Int32Array): number;
  operator(kind: keyof typeof OPERATORS, inputs: number[], output: number, options: Field[]): void;
};

/** @returns the indices of the new output tensors, given those of the old ones */
export type GraphEdit = (graph: GraphEditor, outputs: readonly number[]) => number[];

/** How pixel values of 0..255 become the model's input: (value - mean) / std. */
type Normalisation = { mean: number; std: number };

const table = (...fields: Field[]): Node => ({ table: fields });
const NORMALIZATION_OPTIONS = 1; // in the ProcessUnitOptions union

/** Model metadata with only the first input's normalisation. */
export function normalisationMetadata({ mean, std }: Normalisation): Uint8Array {
  const options = table({ slot: 0, ref: { f32: [mean] } }, { slot: 1, ref: { f32: [std] } });
  const unit = table({ slot: 0, u8: NORMALIZATION_OPTIONS }, { slot: 1, ref: options });
  const input = table({ slot: 0, ref: { str: 'image' } }, { slot: 4, ref: { refs: [unit] } });
  const subgraph = table({ slot: 2, ref: { refs: [input] } });
  return writeFront(table({ slot: 0, ref: { str: 'm' } }, { slot: 3, ref: { refs: [subgraph] } }), 'M001');
}

/**
 * @param model a .tflite file with one subgraph
 * @param edit joins or replaces the outputs; by default the graph is unchanged
 */
export function rewriteTflite(model: Uint8Array, normalisation: Normalisation, edit?: GraphEdit): Uint8Array {
  const reader = new FlatbufferReader(model);
  const { root } = reader;
  const old = (position: number): Node => ({ old: position });
  const codes = reader.targets(root, 1).map(old);
  const buffers = reader.targets(root, 4).map(old);
  const subgraphs: Node = edit
    ? { refs: [editedSubgraph(reader, codes, buffers, edit)] }
    : old(reader.target(root, 2));
  buffers.push(table({ slot: 0, ref: { bytes: normalisationMetadata(normalisation) } }));
  const metadata = table({ slot: 0, ref: { str: 'TFLITE_METADATA' } }, { slot: 1, i32: buffers.length - 1 });
  const newRoot = table(
    { slot: 0, i32: reader.u32(reader.field(root, 0)) },
    { slot: 1, ref: { refs: codes } },
    { slot: 2, ref: subgraphs },
    { slot: 3, ref: { str: 'npm' } },
    { slot: 4, ref: { refs: buffers } },
    { slot: 6, ref: { refs: [metadata] } },
  );
  return writeFront(newRoot, 'TFL3', model);
}

function editedSubgraph(reader: FlatbufferReader, codes: Node[], buffers: Node[], edit: GraphEdit): Node {
  const [subgraph] = reader.targets(reader.root, 2);
  if (subgraph === undefined) throw new Error('the model has no subgraph');
  const tensors: Node[] = reader.targets(subgraph, 0).map((position) => ({ old: position }));
  const operators: Node[] = reader.targets(subgraph, 3).map((position) => ({ old: position }));
  const codeIndex = new Map<keyof typeof OPERATORS, number>();

  const addTensor = (name: string, shape: readonly number[], type: number, buffer: number) =>
    tensors.push(
      table(
        { slot: 0, ref: { i32: shape } },
        { slot: 1, u8: type },
        { slot: 2, i32: buffer },
        { slot: 3, ref: { str: name } },
      ),
    ) - 1;
  const indexOf = (kind: keyof typeof OPERATORS) => {
    const known = codeIndex.get(kind);
    if (known !== undefined) return known;
    const { code } = OPERATORS[kind];
    const added = codes.push(table({ slot: 0, u8: code }, { slot: 2, i32: 1 }, { slot: 3, i32: code })) - 1;
    codeIndex.set(kind, added);
    return added;
  };

  const outputs = edit(
    {
      value: (name, shape) => addTensor(name, shape, TENSOR_TYPES.float32, 0),
      constant: (name, shape, values) => {
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        const buffer = buffers.push(table({ slot: 0, ref: { bytes } })) - 1;
        return addTensor(name, shape, TENSOR_TYPES.int32, buffer);
      },
      operator: (kind, inputs, output, options) => {
        operators.push(
          table(
            { slot: 0, i32: indexOf(kind) },
            { slot: 1, ref: { i32: inputs } },
            { slot: 2, ref: { i32: [output] } },
            { slot: 3, u8: OPERATORS[kind].options },
            { slot: 4, ref: { table: options } },
          ),
        );
      },
    },
    reader.int32s(subgraph, 2),
  );
  return table(
    { slot: 0, ref: { refs: tensors } },
    { slot: 1, ref: { old: reader.target(subgraph, 1) } },
    { slot: 2, ref: { i32: outputs } },
    { slot: 3, ref: { refs: operators } },
    { slot: 4, ref: { str: 'main' } },
  );
}
