/** What an update says about itself, and whether this installation may take it. */
import { type Static, Type } from 'typebox';
import type { UpdateProblem } from '../../contract/console/errors.ts';

/** What a file without compression needs at most; the server and its models have about 300 MB in 9,000 files. */
const MOST_FILES = 50_000;
const MOST_BYTES = 4 * 1024 ** 3;
const VERSION = '^(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})$';
/** Relative, with forward slashes; no part is empty, the folder itself or the one above, and none is a drive of Windows. */
const FILE_PATH = '^((?!\\.{1,2}(/|$))[^/\\\\:\\u0000-\\u001f]+(/(?!$)|$))+$';

export const UPDATE_FORMAT = 1;
export const UPDATE_KINDS = ['folder', 'deb'] as const;
export const UPDATE_CHANNELS = ['stable', 'preview'] as const;

const version = () => Type.String({ pattern: VERSION });
const known = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: values });

/** `manifest.json`. Its bytes are what is signed. */
export const UpdateManifest = Type.Object(
  {
    format: Type.Literal(UPDATE_FORMAT),
    product: Type.String({ maxLength: 60 }),
    /** `folder`: the program itself; `deb`: one Debian package. */
    kind: known(UPDATE_KINDS),
    version: version(),
    /** The oldest version from which it may be installed. */
    min_from: version(),
    channel: known(UPDATE_CHANNELS),
    created: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
    platform: Type.String({ maxLength: 20 }),
    arch: Type.String({ maxLength: 20 }),
    /** The version of the database that it works with. */
    schema: Type.Integer({ minimum: 1, maximum: 100_000 }),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String({ maxLength: 240, pattern: FILE_PATH }),
          size: Type.Integer({ minimum: 0, maximum: MOST_BYTES }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          executable: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_FILES },
    ),
  },
  { additionalProperties: false },
);
export type UpdateManifest = Static<typeof UpdateManifest>;

export const sizeOfUpdate = ({ files }: Pick<UpdateManifest, 'files'>): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** Files that would overwrite each other, also where capital letters are not told apart. */
export function hasTwice({ files }: Pick<UpdateManifest, 'files'>): boolean {
  return new Set(files.map(({ path }) => path.toLowerCase())).size !== files.length;
}

/** Below 0 if the first version is older, above 0 if it is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((each) => each.split('.').map(Number));
  for (const [place, part] of (left ?? []).entries()) {
    const difference = part - (right?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Why a new version was not kept. */
export const UPDATE_FAILURES = [
  'backup_failed',
  'no_space',
  'not_healthy',
  'too_slow',
  'interrupted',
  'not_complete',
] as const;
export type UpdateFailure = (typeof UPDATE_FAILURES)[number];

/** The installation that an update is judged for. */
export type Here = {
  product: string;
  version: string;
  platform: string;
  arch: string;
  /** The newest version that was ever accepted here; null if no other was. */
  newest: string | null;
  schema: number;
};

/** What the manifest alone can say against an installation. */
export type ManifestProblem = Extract<
  UpdateProblem,
  'other_product' | 'other_system' | 'installed' | 'older' | 'step_too_large'
>;

/** The first reason why the update may not be installed here; null if it may. */
export function problemOf(manifest: UpdateManifest, here: Here): ManifestProblem | null {
  if (manifest.product !== here.product) return 'other_product';
  if (manifest.platform !== here.platform || manifest.arch !== here.arch) return 'other_system';
  if (manifest.version === here.version) return 'installed';
  const newest =
    here.newest !== null && compareVersions(here.newest, here.version) > 0 ? here.newest : here.version;
  if (compareVersions(manifest.version, newest) < 0 || manifest.schema < here.schema) return 'older';
  return compareVersions(here.version, manifest.min_from) < 0 ? 'step_too_large' : null;
}
