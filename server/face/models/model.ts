/** One ONNX model, opened once and fed with small pictures as its manifest specifies. */
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { luminance, planes, type Planes } from '../pictures/resample.ts';
import { ManifestError } from '../errors.ts';
import type { EngineManifests, ImageInput } from './manifest.ts';

// Otherwise the runtime keeps a device ID and reports of its use in the account's cache, and sends them to its maker.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

type FedManifest = EngineManifests[keyof EngineManifests];

export type Model<M extends FedManifest> = {
  readonly manifest: M;
  /** A picture of the input's size to draw the next crop into; always the same one. */
  readonly canvas: Planes;
  /** Runs the model on `canvas`. One run at a time; the caller owns the outputs. */
  run(): Promise<(name: string) => Float32Array>;
  close(): Promise<void>;
};

/** One thread per session: workers distribute frames over the cores, so more threads would compete with them. */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
};

/** @throws ManifestError if the file cannot be opened or lacks the inputs and outputs in its manifest */
export async function openModel<M extends FedManifest>(manifest: M, modelDir: string): Promise<Model<M>> {
  const path = join(modelDir, manifest.file);
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(path, SESSION_OPTIONS);
  } catch (cause) {
    throw new ManifestError(`${path}: cannot be opened as a model`, { cause });
  }
  expectNames(path, 'input', session.inputNames, [manifest.input.name]);
  expectNames(path, 'output', session.outputNames, Object.values(manifest.outputs));

  const { input } = manifest;
  const canvas = planes(input.width, input.height);
  const tensor = inputTensor(input);
  return {
    manifest,
    canvas,
    async run() {
      fill(tensor.data, canvas, input);
      const results = await session.run({ [input.name]: tensor.value });
      return (name) => {
        const data = results[name]?.data;
        if (!(data instanceof Float32Array))
          throw new ManifestError(`${path}: output ${name} is not float32`);
        return data;
      };
    },
    close: () => session.release(),
  };
}

function expectNames(path: string, kind: string, has: readonly string[], wants: readonly string[]): void {
  const missing = wants.filter((name) => !has.includes(name));
  if (missing.length === 0) return;
  throw new ManifestError(`${path}: no ${kind} named ${missing.join(', ')}; it has ${has.join(', ')}`);
}

function inputTensor({ width, height, layout, channels }: ImageInput) {
  const depth = channels === 'GRAY' ? 1 : 3;
  const data = new Float32Array(depth * width * height);
  const dims = layout === 'NCHW' ? [1, depth, height, width] : [1, height, width, depth];
  return { data, value: new Tensor('float32', data, dims) };
}

/** Writes the canvas into the tensor: channel order, layout and normalisation of the manifest. */
export function fill(tensor: Float32Array, canvas: Planes, input: ImageInput): void {
  const plane = canvas.width * canvas.height;
  const gray = input.channels === 'GRAY';
  const source = gray ? luminance(canvas) : canvas.data;
  const depth = gray ? 1 : 3;
  for (let c = 0; c < depth; c++) {
    const from = (input.channels === 'BGR' ? 2 - c : c) * plane;
    const mean = input.mean[c] ?? 0;
    const scale = input.scale[c] ?? 1;
    const stride = input.layout === 'NCHW' ? 1 : depth;
    let o = input.layout === 'NCHW' ? c * plane : c;
    for (let i = 0; i < plane; i++, o += stride) tensor[o] = ((source[from + i] as number) - mean) * scale;
  }
}
