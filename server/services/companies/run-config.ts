import {
  type ResolvedConfig,
  resolveConfig,
  stricterTrust,
  unknownOptions,
  VerificationConfig,
} from '../../domain/companies/verification-config.ts';
import type { Verification } from '../../store/companies/verifications.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { Refusal, ValidationError } from '../../refusals/refusal.ts';
import { compile } from '../wire/validation.ts';

const checkConfig = compile(VerificationConfig, 'body');

/**
 * Checks a config that was sent for one run (contract, initialize `config`; decisions §3.7). A null counts as absent.
 * @throws Refusal `config_incomplete` for options that do not exist; ValidationError for invalid values
 */
export function checkRunConfig(config: Record<string, unknown>): void {
  const missing = unknownOptions(config);
  if (missing.length > 0) {
    throw new Refusal('config_incomplete', {
      detail: `config_incomplete: missing ${missing.join(', ')}`,
      args: { options: missing.join(', ') },
    });
  }
  const findings = checkConfig(withoutNulls(config));
  if (findings.length > 0) {
    throw new ValidationError(
      findings.map((finding) => ({ ...finding, loc: ['body', 'config', ...finding.loc.slice(1)] })),
    );
  }
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]])),
  );
}

/**
 * The config of a run: its own, verbatim, or the verification's (contract, initialize rule 6). Which captures count is
 * the exception: a run can only require more than its verification, because pages can start runs, too.
 */
export function configOf({ request, generation }: Session, verification?: Verification): ResolvedConfig {
  const least = resolveConfig(verification?.config ?? {}, generation);
  if (!request.config) return least;
  const own = resolveConfig(request.config, generation);
  return { ...own, captureTrust: stricterTrust(own.captureTrust, least.captureTrust) };
}
