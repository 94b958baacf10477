import { auditVerify } from './audit.ts';
import { backupCreate, backupPhrase, backupRestore } from './backup.ts';
import { companyCreate, companyList } from './company.ts';
import { dataMove } from './data.ts';
import { demo } from './demo.ts';
import { codesList, eventCreate, eventList, eventUpdate } from './events.ts';
import type { CommandInput } from './io.ts';
import { invitesList, invitesRevoke } from './invites.ts';
import { keysList, keysRevoke, keysRoll } from './keys.ts';
import { limitSet, maintenanceOff, maintenanceOn, testDataClear } from './operations.ts';
import { resultTokenKeyRotate } from './result-token-key.ts';
import { retentionRun } from './retention.ts';
import { metricsRevoke, metricsToken } from './metrics.ts';
import { operatorCreate, operatorList, operatorReset, operatorUpdate } from './operators.ts';
import { reviewsDecide, reviewsList } from './reviews.ts';
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
  'embed-origin',
  'external-id',
  'external-tenant-id',
] as const;

/** Options that may be given more than once. */
export const REPEATABLE: ReadonlySet<string> = new Set(['embed-origin']);

const EVENT_FIELDS = [
  'name',
  'starts',
  'ends',
  'verification',
  'group',
  'limit',
  'languages',
  'words',
] as const;

export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', { options: ['port', 'host', 'console-port'], run: serve }],
  ['company create', { options: ['name'], run: companyCreate }],
  ['company list', { options: [], run: companyList }],
  ['keys list', { options: ['company'], run: keysList }],
  ['keys revoke', { options: ['company', 'key', 'reason'], run: keysRevoke }],
  ['keys roll', { options: ['company', 'pair', 'overlap', 'reason'], run: keysRoll }],
  ['limit set', { options: ['company', 'daily'], run: limitSet }],
  ['reviews list', { options: ['company'], run: reviewsList }],
  ['reviews decide', { options: ['case', 'decision', 'reason'], run: reviewsDecide }],
  ['invites list', { options: ['company'], run: invitesList }],
  ['invites revoke', { options: ['company', 'invite', 'reason'], run: invitesRevoke }],
  ['backup create', { options: [], run: backupCreate }],
  ['backup restore', { options: ['phrase-file'], run: backupRestore }],
  ['backup phrase', { options: [], run: backupPhrase }],
  ['result-token-key rotate', { options: ['reason'], run: resultTokenKeyRotate }],
  ['retention run', { options: [], run: retentionRun }],
  ['data move', { options: [], run: dataMove }],
  ['demo', { options: ['size'], run: demo }],
  ['audit verify', { options: [], run: auditVerify }],
  ['metrics token', { options: [], run: metricsToken }],
  ['metrics revoke', { options: [], run: metricsRevoke }],
  ['operator create', { options: ['name', 'role', 'passphrase', 'companies'], run: operatorCreate }],
  ['operator update', { options: ['operator', 'name', 'role', 'companies', 'reason'], run: operatorUpdate }],
  ['operator list', { options: [], run: operatorList }],
  ['operator reset', { options: ['operator', 'reason', 'passphrase'], run: operatorReset }],
  ['event list', { options: ['company', 'partition'], run: eventList }],
  ['event create', { options: ['company', 'partition', ...EVENT_FIELDS], run: eventCreate }],
  [
    'event update',
    { options: ['company', 'partition', 'event', 'reason', ...EVENT_FIELDS], run: eventUpdate },
  ],
  ['codes list', { options: ['company', 'partition'], run: codesList }],
  ['test-data clear', { options: ['company'], run: testDataClear }],
  ['maintenance on', { options: ['until'], run: maintenanceOn }],
  ['maintenance off', { options: [], run: maintenanceOff }],
  ['verification list', { options: ['company'], run: verificationList }],
  ['verification create', { options: ['company', ...VERIFICATION_FIELDS], run: verificationCreate }],
  [
    'verification update',
    { options: ['company', 'verification', ...VERIFICATION_FIELDS], run: verificationUpdate },
  ],
]);

export const HELP = `Usage: gatehouse <command> [options]

  serve [--port 4180] [--host 127.0.0.1] [--console-port N] [--lan]
  company create --name NAME
  company list
  keys list --company ID
  keys revoke --company ID --key KEY_ID|PAIR_ID --reason TEXT
  keys roll --company ID --pair PAIR_ID --overlap now|1h|24h|7d --reason TEXT
  limit set --company ID --daily N
  reviews list [--company ID]
  reviews decide --case ID --decision same_person|different_people|same_person_allow --reason TEXT
  invites list --company ID
  invites revoke --company ID --invite ID --reason TEXT
  operator create --name NAME --role staff|reviewer|admin [--companies ID,ID] [--passphrase -]
  operator update --operator ID|NAME --reason TEXT [--name NAME] [--role ROLE] [--companies ID,ID|all]
  operator list
  operator reset --operator ID|NAME --reason TEXT [--passphrase - | --second-factor]
  event list --company ID [--partition test]
  event create --company ID --name NAME --starts TIME --ends TIME [--partition test] [fields]
  event update --company ID --event ID --reason TEXT [--partition test] [fields]
  codes list --company ID [--partition test]
  test-data clear --company ID
  backup create FILE
  backup restore FILE [--phrase-file FILE|-]
  backup phrase
  result-token-key rotate --reason TEXT
  retention run [--confirm-clock]
  data move DIR
  demo [--size small|large]
  audit verify
  metrics token
  metrics revoke
  maintenance on [--until TIME]
  maintenance off
  verification list --company ID
  verification create --company ID [fields]
  verification update --company ID --verification ID [fields]

Fields of a verification: --config JSON|@file, --origin, --return-path, --start-path, --redirect-url, --external-id,
--external-tenant-id, --embed-origin (repeat it for each further site that may embed live checks; replaces the list),
--default. An empty value clears a field.

Fields of an event: --verification ID, --group NAME, --limit none|total[:N]|day[:N]|week[:N]|month[:N], --languages en,es,…,
--words JSON|@file. Times are ISO 8601.

"--passphrase -" reads one from standard input; without it one is made and printed once.
"--companies" limits an operator to those companies: nothing else exists for them, and settings of the whole installation
are closed to them.
"operator reset --second-factor" removes the authenticator and its recovery codes; the passphrase stays.

Every command takes --data-dir DIR (or GATEHOUSE_DATA_DIR) and --json; with --key-stdin it reads the database's key
(64 hexadecimal characters) from stdin.`;
