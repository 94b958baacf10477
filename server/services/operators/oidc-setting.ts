/** The identity provider with which operators can sign in (OpenID Connect). Off by default. */
import { isLoopbackUrl } from '../../domain/address.ts';
import type { OidcChange, OidcSettings } from '../../contract/console/settings.ts';
import { ROLES, type Role } from '../../contract/console/common.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import { readSetting } from '../../store/settings.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { changedNames, mergeChange, versionOf } from '../wire/versions.ts';

const SETTING = 'oidc';

export type OidcSetting = {
  enabled: boolean;
  /** What operators know the provider as. */
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Changes with the secret, so that a stale form does not replace it. */
  secretId: string;
  scope: string;
  groupsClaim: string;
  /** Separated by commas; a name with a comma in double quotes. */
  groups: Readonly<Record<Role, string>>;
};

const NONE: OidcSetting = {
  enabled: false,
  label: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  secretId: '',
  scope: 'openid profile',
  groupsClaim: 'groups',
  groups: { staff: '', reviewer: '', admin: '' },
};

export const readOidcSetting = async (db: SqlReader): Promise<OidcSetting> =>
  (await readSetting<OidcSetting>(db, SETTING)) ?? NONE;

/** Its name for the sign-in page; null while it is off. */
export async function offeredProvider(db: SqlReader): Promise<string | null> {
  const { enabled, label } = await readOidcSetting(db);
  return enabled ? label : null;
}

/** As on the wire; the secret by its name. */
const fieldsOf = ({ groups, ...setting }: OidcSetting) => ({
  enabled: setting.enabled,
  label: setting.label,
  issuer: setting.issuer,
  client_id: setting.clientId,
  secret: setting.secretId,
  scope: setting.scope,
  groups_claim: setting.groupsClaim,
  admin_groups: groups.admin,
  reviewer_groups: groups.reviewer,
  staff_groups: groups.staff,
});

export async function readOidcSettings({ db }: Pick<Ports, 'db'>): Promise<OidcSettings> {
  const { secret, ...fields } = fieldsOf(await readOidcSetting(db));
  return { ...fields, has_secret: secret !== '', version: versionOf({ ...fields, secret }) };
}

/**
 * Applies from the next sign-in on; a secret that is left out stays, unless it would go to another issuer. The audit log names what changed, never the secret.
 * @throws Refusal `oidc_incomplete`, `changed_meanwhile`
 */
export async function changeOidc(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { version, secret, ...texts }: OidcChange,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    const before = await readOidcSetting(tx);
    const current = fieldsOf(before);
    const sent = { ...texts, ...(secret !== undefined && { secret: newId(clock.now()) }) };
    const log = { subject: 'installation', actions: ['oidc.change'] } as const;
    const merged = { ...current, ...(await mergeChange(tx, { version, current, sent, log })) };
    const issuer = merged.issuer.trim();
    const isMoved = issuer !== before.issuer && secret === undefined;
    const next: OidcSetting = {
      enabled: merged.enabled,
      label: merged.label.trim(),
      issuer,
      clientId: merged.client_id.trim(),
      clientSecret: isMoved ? '' : (secret ?? before.clientSecret),
      secretId: isMoved ? '' : merged.secret,
      scope: merged.scope.trim(),
      groupsClaim: merged.groups_claim.trim(),
      groups: {
        admin: merged.admin_groups,
        reviewer: merged.reviewer_groups,
        staff: merged.staff_groups,
      },
    };
    if (next.enabled && !isComplete(next)) throw new Refusal('oidc_incomplete');
    await changeSetting(tx, SETTING, next, {
      at: clock.now(),
      actor,
      action: 'oidc.change',
      details: { enabled: next.enabled, changed: changedNames(current, fieldsOf(next)) },
    });
  });
}

const isComplete = (setting: OidcSetting): boolean =>
  setting.label !== '' &&
  setting.clientId !== '' &&
  setting.scope.split(/\s+/).includes('openid') &&
  setting.groupsClaim !== '' &&
  ROLES.some((role) => groupsIn(setting, role).length > 0) &&
  isIssuer(setting.issuer);

/** Without TLS only on this very machine, where nobody can listen. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash } = new URL(text);
  if (username !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(text));
}

/** The names of directories have commas themselves: `"CN=Door,OU=Groups"`. */
const GROUP = /\s*(?:"([^"]*)"|([^,]*))\s*(?:,|$)/g;

const groupsIn = ({ groups }: OidcSetting, role: Role): string[] =>
  Array.from(groups[role].matchAll(GROUP), ([, quoted, plain = '']) => quoted ?? plain.trim()).filter(
    (group) => group !== '',
  );

/** The highest role that one of the groups has; null without any. */
export function roleOf(setting: OidcSetting, groups: readonly string[]): Role | null {
  const has = (role: Role) => groupsIn(setting, role).some((group) => groups.includes(group));
  return ROLES.toReversed().find(has) ?? null;
}
