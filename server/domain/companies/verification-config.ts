import { type Static, type TSchema, Type } from 'typebox';
import { LIMIT_KINDS, type LimitKind } from '../../contract/console/common.ts';
import { MAX_SKIP_WINDOW_HOURS } from '../../contract/console/verifications.ts';
import type { Generation } from '../../contract/operations.ts';
import { oneOf } from '../../contract/schemas.ts';

const COLLISION_ACTIONS = ['deny', 'flag', 'review'] as const;
type CollisionAction = (typeof COLLISION_ACTIONS)[number];

/**
 * Which captures a verification accepts: any; one from a browser only after a reviewer has looked at it; or only those of
 * paired kiosks. From the most lenient to the strictest.
 */
export const CAPTURE_TRUSTS = ['any', 'review_untrusted', 'kiosk'] as const;
type CaptureTrust = (typeof CAPTURE_TRUSTS)[number];

/** How much a capture asks of a guest. */
const CHALLENGE_MODES = ['standard', 'strict'] as const;
export type ChallengeMode = (typeof CHALLENGE_MODES)[number];

/** The options of a verification's config (decisions §5, end). All optional; a dot in a name is a nested object. */
export const VerificationConfig = Type.Object({
  require_account: Type.Optional(Type.Boolean()),
  is_test: Type.Optional(Type.Boolean()),
  is_demo: Type.Optional(Type.Boolean()),
  track_attributes: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
  collision: Type.Optional(Type.Object({ action: Type.Optional(oneOf(COLLISION_ACTIONS)) })),
  limit: Type.Optional(
    Type.Object({
      kind: Type.Optional(oneOf(LIMIT_KINDS)),
      max: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  ),
  skip: Type.Optional(
    Type.Object({
      window_hours: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_SKIP_WINDOW_HOURS })),
    }),
  ),
  identity: Type.Optional(Type.Object({ share: Type.Optional(Type.Boolean()) })),
  returning: Type.Optional(Type.Object({ auto_return: Type.Optional(Type.Boolean()) })),
  liveness: Type.Optional(Type.Object({ challenge: Type.Optional(oneOf(CHALLENGE_MODES)) })),
  phone: Type.Optional(Type.Object({ required: Type.Optional(Type.Boolean()) })),
  capture: Type.Optional(Type.Object({ trust: Type.Optional(oneOf(CAPTURE_TRUSTS)) })),
});
export type VerificationConfig = Static<typeof VerificationConfig>;

/** The config with all defaults filled in. */
export type ResolvedConfig = {
  collisionAction: CollisionAction;
  limit: { kind: LimitKind; max: number };
  skipWindowMs: number;
  shareIdentity: boolean;
  autoReturn: boolean;
  challenge: ChallengeMode;
  phoneRequired: boolean;
  captureTrust: CaptureTrust;
};

const HOUR_MS = 3_600_000;
const DEFAULT_SKIP_WINDOW_HOURS = 24;

/** Names in `config` that are not options, dotted, in their order (contract: `config_incomplete`). */
export function unknownOptions(config: Record<string, unknown>): string[] {
  return unknownIn(config, VerificationConfig, '');
}

function unknownIn(value: Record<string, unknown>, schema: TSchema, prefix: string): string[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  return Object.entries(value).flatMap(([name, inner]) => {
    // Own names only, because every object has a `constructor`.
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!known) return [`${prefix}${name}`];
    const isNested =
      'properties' in known && typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isNested ? unknownIn(inner as Record<string, unknown>, known, `${prefix}${name}.`) : [];
  });
}

/** The defaults of each generation (decisions §5, end; contract, "What the service does" 1 and 5). */
const DEFAULTS: Record<Generation, Pick<ResolvedConfig, 'collisionAction' | 'phoneRequired'>> = {
  v1: { collisionAction: 'review', phoneRequired: true },
  v2: { collisionAction: 'review', phoneRequired: true },
  v3: { collisionAction: 'deny', phoneRequired: false },
};

/** Fills in the defaults of the run's generation. `config` was validated when it was stored or sent. */
export function resolveConfig(config: VerificationConfig, generation: Generation): ResolvedConfig {
  const defaults = DEFAULTS[generation];
  return {
    collisionAction: config.collision?.action ?? defaults.collisionAction,
    limit: { kind: config.limit?.kind ?? 'none', max: config.limit?.max ?? 1 },
    skipWindowMs: (config.skip?.window_hours ?? DEFAULT_SKIP_WINDOW_HOURS) * HOUR_MS,
    shareIdentity: config.identity?.share ?? false,
    autoReturn: config.returning?.auto_return ?? false,
    challenge: config.liveness?.challenge ?? 'standard',
    phoneRequired: config.phone?.required ?? defaults.phoneRequired,
    captureTrust: config.capture?.trust ?? 'any',
  };
}

/** The stricter of the two. */
export function stricterTrust(a: CaptureTrust, b: CaptureTrust): CaptureTrust {
  return CAPTURE_TRUSTS.indexOf(a) >= CAPTURE_TRUSTS.indexOf(b) ? a : b;
}
