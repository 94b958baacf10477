/**
 * The description of a model: where its file comes from and how to feed it. One JSON file per model in
 * `assets/models/`, so that an owner can replace a model without touching code.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static, type TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { ManifestError } from '../errors.ts';

const text = Type.String({ minLength: 1 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const share = Type.Number({ minimum: 0, maximum: 1 });
const fileName = Type.String({ pattern: '^[A-Za-z0-9_.-]+$' });
const strict = { additionalProperties: false };
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

/** Where `npm run assets` downloads the file from; absent if the owner puts the file into the model folder. */
const Source = Type.Object(
  {
    package: text,
    version: text,
    /** Of the package's tarball, as in the registry (`sha512-…`). */
    integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
    /** Path inside the package; absent if `builder` makes the file from the unpacked package. */
    path: Type.Optional(text),
    builder: Type.Optional(Type.Literal('face-task')),
    /** The ONNX file at `path` has this SHA-256; its weights with a magnitude below `below` are set to 0. */
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
  /** Identifies this model and its weights; stored with everything computed by it. */
  version: Type.String({ minLength: 1, maxLength: 100 }),
  /** Name in the model folder. */
  file: fileName,
  sha256,
  licence: text,
  notes: Type.Optional(text),
  source: Type.Optional(Source),
};

/** Boxes are corners x1 y1 x2 y2, in shares of the input's width and height. */
const DetectManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('detect'),
    input: ImageInput,
    outputs: Type.Object({ scores: text, boxes: text }, strict),
    /** Column of `scores` for faces, and the number of columns. */
    faceClass: Type.Integer({ minimum: 0 }),
    classes: Type.Integer({ minimum: 1 }),
    thresholds: Type.Object(
      {
        /** Minimum score of a face. */
        score: share,
        /** Overlap (intersection over union) above which two boxes are one face. */
        overlap: share,
        /** Another face counts if it has at least this share of the main face's height. */
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

/** Input: the face aligned to the ArcFace template, scaled to the input's size. */
const EmbedManifest = Type.Object(
  {
    ...common,
    role: Type.Literal('embed'),
    input: ImageInput,
    outputs: Type.Object({ embedding: text }, strict),
    embeddingLength: Type.Integer({ minimum: 16, maximum: 4096 }),
    /**
     * Cosine for 1,000 enrolled people; the rules raise it with the number enrolled. `oneToOne`: for a face that is compared with
     * one person’s only, in the fast lane; `samePerson` where it is left out.
     */
    thresholds: Type.Object({ samePerson: share, near: share, oneToOne: Type.Optional(share) }, strict),
    /**
     * Different people to compare with while few people are enrolled: vectors of this model, one byte per component,
     * next to the manifest. Without them a match is near at most until 500 people are enrolled.
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
    /** Index of the logit of the class "real face". */
    genuineClass: Type.Integer({ minimum: 0 }),
    /** Side of the crop divided by the side of the face box. */
    cropScale: Type.Number({ minimum: 1, maximum: 10 }),
    thresholds: Type.Object({ genuine: share }, strict),
  },
  strict,
);
export type AttackManifest = Static<typeof AttackManifest>;

/** The landmark model that runs in the page; the server only serves the file. */
const PageLandmarksManifest = Type.Object({ ...common, role: Type.Literal('page-landmarks') }, strict);
type PageLandmarksManifest = Static<typeof PageLandmarksManifest>;

type ModelManifest =
  | DetectManifest
  | LandmarksManifest
  | EmbedManifest
  | AttackManifest
  | PageLandmarksManifest;

/** The manifests that the engine needs, by role. */
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

/**
 * @param value the parsed JSON
 * @param label name in error messages, usually the file's path
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
 * Every manifest in a folder, by file name.
 * @throws ManifestError if the folder cannot be read or one of its JSON files is not a manifest
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
 * @throws ManifestError if a role is missing or duplicated
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
