/** Who did something, as the audit log names them. These names are defined only here. */
export type Actor =
  /** The service, its first start in development, the command line, a person on their own page, and who holds the recovery phrase. */
  | 'system'
  | 'first start'
  | 'cli'
  | 'person'
  | 'recovery phrase'
  | `key:${string}`
  | `kiosk:${string}`
  | `phone:${string}`
  | `operator:${string}`;

export const keyActor = (keyId: string): Actor => `key:${keyId}`;
export const kioskActor = (kioskId: string): Actor => `kiosk:${kioskId}`;
/** A phone of the door team, with the name that its owner gave. */
export const phoneActor = (phoneId: string): Actor => `phone:${phoneId}`;
export const operatorActor = (operatorId: string): Actor => `operator:${operatorId}`;

/**
 * The name without case, extra spaces and look-alike characters: "Ada  Lovelace" and "ada lovelace" are one
 * operator.
 */
export function operatorNameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The operator's ID; null for anybody else. */
export const operatorOf = (actor: Actor): string | null =>
  actor.startsWith('operator:') ? actor.slice('operator:'.length) : null;
