/** The options of the commands, for Commander and its help. */
import { InvalidArgumentError, Option } from 'commander';
import { PARTITION_NAMES } from '../contract/console/common.ts';
import { KIOSK_LANGUAGES } from '../contract/kiosk.ts';

/** In `--reason --default` the reason is missing; it is not "--default". */
function valueOf(given: string): string {
  if (given.startsWith('--')) throw new InvalidArgumentError(`Enter a value before ${given}.`);
  return given;
}

/** An option with a value; the last one wins. */
export const text = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string) => valueOf(value));

const repeated = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, before: string[] | undefined) => [
    ...(before ?? []),
    valueOf(value),
  ]);

export const REQUIRED = '(required)';
export const required = (flags: string, description: string): Option =>
  text(flags, `${description} ${REQUIRED}`);

export const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices);

export const COMPANY = required('--company <id>', 'company ID');
export const EVENT = required('--event <id>', 'event ID');
export const REASON = required('--reason <text>', 'reason, kept in the audit log');
export const PARTITION = choice('--partition <name>', 'partition (default: live)', PARTITION_NAMES);
export const PERSON = required('--person <id>', 'person ID, from the People page');
export const OPERATOR = required('--operator <id|name>', 'operator, by ID or name');
export const PASSPHRASE = text(
  '--passphrase <->',
  '"-" reads the passphrase from standard input; without it, one is generated and printed once',
);
export const COMPANIES = text(
  '--companies <ids>',
  'limit the operator to these companies: IDs separated by commas, or "all"',
);

export const LABELS = repeated(
  '--label <name=value>',
  'label that rates are reported by, such as light=dim; repeat for more',
);

export const CODE_KEYS = repeated(
  '--key <public key>',
  `public key of the event, hcpk_…; repeat for more ${REQUIRED}`,
);

export const VERIFICATION_FIELDS = [
  text('--config <json|@file>', 'options of the verification'),
  text('--origin <url>', 'origin of the site that starts checks'),
  text('--return-path <path>', 'path that people return to'),
  text('--start-path <path>', 'path that checks start from'),
  text('--redirect-url <url>', 'address that people return to'),
  repeated('--embed-origin <url>', 'site that may embed live checks; repeat for more, replaces the list'),
  text('--external-id <id>', 'your ID of the verification'),
  text('--external-tenant-id <id>', 'your tenant ID'),
  new Option('--default', 'make it the default verification of the company'),
];

export const EVENT_FIELDS = [
  text('--verification <id>', 'verification that people take'),
  text('--group <name>', 'group that shares the entry limit'),
  text('--limit <limit>', 'entries per person: none, total[:N], day[:N], week[:N] or month[:N]'),
  text('--languages <list>', `languages of the kiosk, separated by commas: ${KIOSK_LANGUAGES.join(', ')}`),
  text('--fast-lane <on|off>', 'a shorter check for guests who come back with their ticket (off by default)'),
  text(
    '--faces <event|ticket|organiser>',
    'faces end with the event (the usual), are sealed with their tickets until then, or kept as the organiser’s retention says',
  ),
  text(
    '--faces-days <n>',
    'days after its end at which the event’s faces are deleted: 0 to 30 (1 by default)',
  ),
  text('--words <json|@file>', 'messages of the kiosk'),
];
