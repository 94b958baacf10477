/**
 * What the service knows of a model: where its file comes from and how to feed it. One JSON file a model in
 * `assets/models/`, so that an owner can put another model in its place without touching code.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static, type TSchema } from 'typebox';
import { Errors } from 'typebox/value';

const text = Type.String({ minLength: 1 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const share = Type.Number({ minimum: 0, maximum: 1 });
const fileName = Type.String({ pattern: '^[A-Za-z0-9_.-]+$' });
const strict = { additionalProperties: false };
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

/** Where `npm run assets` takes the file from; absent when the owner puts the file into the model folder himself. */
const Source = Type.Object(
  {
    package: text,
    version: text,
    /** Of the package's tarball, as the registry gives it (`sha512-…`). */
    integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
    /** Path inside the package; absent when `builder` makes the file out of the unpacked package. */
    path: Type.Optional(text),
    builder: Type.Optional(Type.Literal('face-task')),
    /** The ONNX file at `path` has this SHA-256; its weights of a magnitude less than `below` are set to 0. */
    flush: Type.Optional(
      Type.Object(
        { originalSha256: sha256, below: Type.Number({ exclusiveMinimum: 0, maximum: 1e-10 }) },
        strict,
      ),
    ),
  },
  strict,
);

/** A pixel value `v` (0 to 255) is fed as `(v − mean) × scale`, per channel in the order of `channels`. */
const ImageInput = Type.Object(
  {
    name: text,
    width: Type.Integer({ minimum: 16, maximum: 2048 }),
    height: Type.Integer({ minimum: 16, maximum: 2048 }),
    layout: oneOf(['NCHW', 'NHWC']),
    channels: oneOf(['RGB', 'BGR', 'GRAY']),
    mean: Type.Array(Type.Number(), { minItems: 1, maxItems: 3 }),
    scale: Type.Array(Type.Number(), { minItems: 1, maxItems: 3 }),
  },
  strict,
);
export type ImageInput = Static<typeof ImageInput>;

const common = {
  $schema: Type.Optional(text),
  /** Names this model and its weights; stored with whatever was computed by it. */
  version: Type.String({ minLength: 1, maxLength: 100 }),
  /** Name inside the model folder. */
  file: fileName,
  sha256,
  licence: text,
  notes: Type.Optional(text),
  source: Type.Optional(Source),
};

/** Boxes come as corners x1 y1 x2 y2, in shares of the input's width and height. */
const DetectManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('detect'),
    input: ImageInput,
    outputs: Type.Object({ scores: text, boxes: text }, strict),
    /** Column of `scores` that is the face's, and the number of columns. */
    faceClass: Type.Integer({ minimum: 0 }),
    classes: Type.Integer({ minimum: 1 }),
    thresholds: Type.Object(
      {
        /** Least score of a face. */
        score: share,
        /** Overlap (intersection over union) above which two boxes are one face. */
        overlap: share,
        /** Another face counts when it is at least this share of the main face's height. */
        bystanderHeight: share,
      },
      strict,
    ),
  },
  strict,
);
export type DetectManifest = Static<typeof DetectManifest>;

/** 68 points in iBUG order, x y in shares of a square crop around the face box. */
const LandmarksManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('landmarks'),
    input: ImageInput,
    outputs: Type.Object({ points: text }, strict),
  },
  strict,
);
export type LandmarksManifest = Static<typeof LandmarksManifest>;

/** Fed with the face aligned to the ArcFace template, stretched to the input's size. */
const EmbedManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('embed'),
    input: ImageInput,
    outputs: Type.Object({ embedding: text }, strict),
    embeddingLength: Type.Integer({ minimum: 16, maximum: 4096 }),
    /** Cosine for 1,000 enrolled people; the rules raise them with the number enrolled. */
    thresholds: Type.Object({ samePerson: share, near: share }, strict),
    /**
     * Strangers to compare with while few people are enrolled: vectors of this model, one byte a component, beside the
     * manifest. Without them a match is near at most until 500 people are enrolled.
     */
    cohort: Type.Optional(Type.Object({ file: fileName, sha256, notes: Type.Optional(text) }, strict)),
  },
  strict,
);
export type EmbedManifest = Static<typeof EmbedManifest>;

const AttackManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('attack'),
    input: ImageInput,
    outputs: Type.Object({ logits: text }, strict),
    classes: Type.Integer({ minimum: 2 }),
    /** Index of the logit of the class "a real face". */
    genuineClass: Type.Integer({ minimum: 0 }),
    /** Side of the crop over the side of the face box. */
    cropScale: Type.Number({ minimum: 1, maximum: 10 }),
    thresholds: Type.Object({ genuine: share }, strict),
  },
  strict,
);
export type AttackManifest = Static<typeof AttackManifest>;

/** The landmark model that runs in the page; the server only passes the file on. */
const PageLandmarksManifest = Type.Object({ ...common, role: Type.Literal('page-landmarks') }, strict);
export type PageLandmarksManifest = Static<typeof PageLandmarksManifest>;

export type ModelManifest =
  | DetectManifest
  | LandmarksManifest
  | EmbedManifest
  | AttackManifest
  | PageLandmarksManifest;

/** The manifests that the engine needs, by what they do. */
export type EngineManifests = {
  detect: DetectManifest;
  landmarks: LandmarksManifest;
  embed: EmbedManifest;
  attack: AttackManifest;
};

const SCHEMAS: Record<ModelManifest['role'], TSchema> = {
  detect: DetectManifest,
  landmarks: LandmarksManifest,
  embed: EmbedManifest,
  attack: AttackManifest,
  'page-landmarks': PageLandmarksManifest,
};

export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/**
 * @param value the parsed JSON
 * @param label how error messages call it, usually the file's path
 * @throws ManifestError that names every wrong field
 */
export function parseManifest(value: unknown, label: string): ModelManifest {
  const role = typeof value === 'object' && value !== null && 'role' in value ? value.role : undefined;
  if (typeof role !== 'string' || !Object.hasOwn(SCHEMAS, role)) {
    throw new ManifestError(`${label}: role must be one of ${Object.keys(SCHEMAS).join(', ')}`);
  }
  const problems = Errors(SCHEMAS[role as ModelManifest['role']], value)
    .filter((error) => error.keyword !== 'boolean')
    .map((error) => `${error.instancePath.slice(1).replaceAll('/', '.') || '(whole)'} ${error.message}`);
  if (problems.length > 0) throw new ManifestError(`${label}: ${problems.join('; ')}`);
  const manifest = value as ModelManifest;
  const meaning = contradiction(manifest);
  if (meaning !== null) throw new ManifestError(`${label}: ${meaning}`);
  return manifest;
}

function contradiction(manifest: ModelManifest): string | null {
  const { source } = manifest;
  if (source !== undefined && (source.path === undefined) === (source.builder === undefined)) {
    return 'source needs either path or builder';
  }
  if (source?.flush !== undefined && source.path === undefined) return 'source.flush needs path';
  if ('input' in manifest) {
    const { channels, mean, scale } = manifest.input;
    const count = channels === 'GRAY' ? 1 : 3;
    if (mean.length !== count || scale.length !== count) {
      return `input.mean and input.scale need ${count} value(s) for ${channels}`;
    }
  }
  if (manifest.role === 'detect' && manifest.faceClass >= manifest.classes)
    return 'faceClass is not one of classes';
  if (manifest.role === 'attack' && manifest.genuineClass >= manifest.classes) {
    return 'genuineClass is not one of classes';
  }
  return null;
}

/**
 * Every manifest of a folder, by file name.
 * @throws ManifestError when the folder cannot be read or one of its JSON files is not a manifest
 */
export function readManifests(manifestDir: string): ModelManifest[] {
  let names: string[];
  try {
    names = readdirSync(manifestDir).filter((name) => name.endsWith('.json'));
  } catch (cause) {
    throw new ManifestError(`${manifestDir}: no model manifests found`, { cause });
  }
  return names.toSorted().map((name) => {
    const path = join(manifestDir, name);
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(path, 'utf8'));
    } catch (cause) {
      throw new ManifestError(`${path}: not valid JSON`, { cause });
    }
    return parseManifest(value, path);
  });
}

/**
 * The four models of the engine.
 * @throws ManifestError when a role is missing or taken twice
 */
export function readEngineManifests(manifestDir: string): EngineManifests {
  const manifests = readManifests(manifestDir);
  const only = <R extends ModelManifest['role']>(role: R): Extract<ModelManifest, { role: R }> => {
    const found = manifests.filter(
      (manifest): manifest is Extract<ModelManifest, { role: R }> => manifest.role === role,
    );
    const [first] = found;
    if (first === undefined) throw new ManifestError(`${manifestDir}: no manifest with role ${role}`);
    if (found.length > 1) {
      throw new ManifestError(`${manifestDir}: several manifests with role ${role}; keep one`);
    }
    return first;
  };
  return {
    detect: only('detect'),
    landmarks: only('landmarks'),
    embed: only('embed'),
    attack: only('attack'),
  };
}
