import { readFileSync } from 'node:fs';
import { unknownOptions, VerificationConfig } from '../domain/companies/verification-config.ts';
import { compile } from '../services/wire/validation.ts';
import {
  saveVerification,
  toSavedRecord,
  type VerificationChange,
} from '../services/companies/verifications.ts';
import { isUniqueViolation } from '../store/sql/port.ts';
import { pageVerifications } from '../store/companies/verifications.ts';
import { CliError, type CommandInput, optionalText, repeatedTexts, requiredText } from './io.ts';
import { CLI_ACTOR, inCompany } from './with-database.ts';

const EVERY = { limit: 1_000_000, offset: 0 };

export async function verificationList(input: CommandInput): Promise<unknown> {
  const { items } = await inCompany(input, ({ db }, companyId) =>
    pageVerifications(db, companyId, EVERY.limit, EVERY.offset),
  );
  return items.map(toSavedRecord);
}

export const verificationCreate = (input: CommandInput): Promise<unknown> => save(input);

export const verificationUpdate = async (input: CommandInput): Promise<unknown> =>
  save(input, requiredText(input, 'verification'));

async function save(input: CommandInput, id?: string): Promise<unknown> {
  const change = readChange(input);
  const record = await inCompany(input, async ({ db, clock }, companyId) => {
    try {
      return await saveVerification(db, clock, { companyId, change, actor: CLI_ACTOR, ...(id && { id }) });
    } catch (error) {
      if (isUniqueViolation(error, 'verifications_external'))
        throw new CliError('Another verification of this company has this external ID. Choose another one.');
      throw error;
    }
  });
  if (!record)
    throw new CliError(
      `This company has no verification ${id ?? ''}. Run "gatehouse verification list" to see all of them.`,
    );
  return record;
}

/** An empty option clears its field; an omitted one keeps it. */
function readChange(input: CommandInput): VerificationChange {
  const fields = {
    externalId: 'external-id',
    externalTenantId: 'external-tenant-id',
    origin: 'origin',
    returnPath: 'return-path',
    startPath: 'start-path',
    redirectUrl: 'redirect-url',
  } as const;
  const change: VerificationChange = {};
  for (const [field, option] of Object.entries(fields) as [keyof typeof fields, string][]) {
    const value = optionalText(input, option);
    if (option.endsWith('-path') && value?.trim() !== value)
      throw new CliError(`--${option} has white space around it.`);
    if (value !== undefined) change[field] = value === '' ? null : value;
  }
  const embedOrigins = repeatedTexts(input, 'embed-origin');
  if (embedOrigins !== undefined) change.embedOrigins = embedOrigins.filter((origin) => origin !== '');
  const config = optionalText(input, 'config');
  if (config !== undefined) change.config = readConfig(config);
  if (input.values['default'] === true) change.makeDefault = true;
  return change;
}

const checkConfig = compile(VerificationConfig, 'body');

function readConfig(text: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readConfigFile(text.slice(1)) : text;
  let config: unknown;
  try {
    config = JSON.parse(json);
  } catch (error) {
    throw new CliError(`--config is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const findings = checkConfig(config);
  if (findings.length > 0) {
    const words = findings.map(({ loc, msg }) => `${['config', ...loc.slice(1)].join('.')}: ${msg}`);
    throw new CliError(`--config is invalid: ${words.join('; ')}`);
  }
  const unknown = unknownOptions(config as Record<string, unknown>);
  if (unknown.length > 0) throw new CliError(`--config has options that do not exist: ${unknown.join(', ')}`);
  return config as Record<string, unknown>;
}

function readConfigFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`--config can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
