import { companyCreate, companyList } from './company.ts';
import type { CommandInput } from './io.ts';
import { keysList, keysRevoke } from './keys.ts';
import { serve } from './serve.ts';
import { verificationCreate, verificationList, verificationUpdate } from './verification.ts';

export type Command = {
  /** Options with a value, besides those that every command takes. */
  options: readonly string[];
  run(input: CommandInput): Promise<void>;
};

const VERIFICATION_FIELDS = [
  'config',
  'origin',
  'return-path',
  'start-path',
  'redirect-url',
  'external-id',
  'external-tenant-id',
] as const;

export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', { options: ['port', 'host', 'console-port'], run: serve }],
  ['company create', { options: ['name'], run: companyCreate }],
  ['company list', { options: [], run: companyList }],
  ['keys list', { options: ['company'], run: keysList }],
  ['keys revoke', { options: ['company', 'key', 'reason'], run: keysRevoke }],
  ['verification list', { options: ['company'], run: verificationList }],
  ['verification create', { options: ['company', ...VERIFICATION_FIELDS], run: verificationCreate }],
  [
    'verification update',
    { options: ['company', 'verification', ...VERIFICATION_FIELDS], run: verificationUpdate },
  ],
]);

export const HELP = `Usage: gatehouse <command> [options]

  serve [--port 4180] [--host 127.0.0.1] [--console-port N]
  company create --name NAME
  company list
  keys list --company ID
  keys revoke --company ID --key KEY_ID|PAIR_ID --reason TEXT
  verification list --company ID
  verification create --company ID [fields]
  verification update --company ID --verification ID [fields]

Fields of a verification: --config JSON|@file, --origin, --return-path, --start-path, --redirect-url, --external-id,
--external-tenant-id, --default. An empty value clears a field.

Every command takes --data-dir DIR (or GATEHOUSE_DATA_DIR) and --json.`;
