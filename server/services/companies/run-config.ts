import {
  type ResolvedConfig,
  resolveConfig,
  unknownOptions,
  VerificationConfig,
} from '../../domain/companies/verification-config.ts';
import type { Verification } from '../../store/companies/verifications.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import { compile } from '../validation.ts';

const checkConfig = compile(VerificationConfig, 'body');

/**
 * Checks a config that was sent for one run (contract, initialize `config`; decisions §3.7). A null counts as absent.
 * @throws ServiceError `config_incomplete` for options that do not exist; ValidationError for values they cannot have
 */
export function checkRunConfig(config: Record<string, unknown>): void {
  const missing = unknownOptions(config);
  if (missing.length > 0) {
    throw new ServiceError('config_incomplete', {
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

/** The config that a run is judged by: its own, verbatim, or the verification's (contract, initialize rule 6). */
export function configOf(session: Session, verification: Verification | undefined): ResolvedConfig {
  return resolveConfig(session.request.config ?? verification?.config ?? {}, session.generation);
}
