/** The commands of decisions §7 with their options, for Commander and "gatehouse help". */
import { Command, Option } from 'commander';
import { ROLES } from '../contract/console/common.ts';
import { DEMO_SIZES } from '../services/demo/size.ts';
import {
  auditVerify,
  limitSet,
  maintenanceOff,
  maintenanceOn,
  testClockAdvance,
  testClockShow,
  testDataClear,
  companyCreate,
  companyList,
  companyUpdate,
} from './operations.ts';
import { backupCreate, backupPhrase, backupRestore } from './backup.ts';
import { dataCopy, dataMove, dataReopen } from './data.ts';
import {
  databaseKeyRotate,
  resultTokenKeyRotate,
  metricsRevoke,
  metricsToken,
  secretsList,
} from './secrets.ts';
import { demo, demoRemove } from './demo.ts';
import { doctor } from './doctor.ts';
import { codesKey, codesMake, codesVerify } from './codes.ts';
import { codesList, eventCreate, eventList, eventUpdate } from './events.ts';
import { answer, CliError, type CommandInput } from './io.ts';
import { invitesList, invitesRevoke } from './invites.ts';
import { keysExport, keysList, keysRevoke, keysRoll, keysRename } from './keys.ts';
import {
  choice,
  CODE_KEYS,
  COMPANIES,
  COMPANY,
  EVENT,
  EVENT_FIELDS,
  LABELS,
  OPERATOR,
  PARTITION,
  PERSON,
  PASSPHRASE,
  REASON,
  required,
  REQUIRED,
  text,
  VERIFICATION_FIELDS,
} from './options.ts';
import { privacyAssessment, privacyRecord } from './papers.ts';
import { recordingsDelete, recordingsList } from './recordings.ts';
import { record, RECORDING_MODES } from './record.ts';
import { retentionRun } from './retention.ts';
import { operatorCreate, operatorList, operatorReset, operatorUpdate } from './operators.ts';
import { peopleBlock, peopleBlocks, peopleImport, peopleTwins, peopleUnblock } from './people.ts';
import { reviewsDecide, reviewsList } from './reviews.ts';
import { serve } from './serve.ts';
import { updateInstall, updateStatus, updateTry, updateVerify } from './update.ts';
import {
  listen,
  trigger,
  webhooksCreate,
  webhooksDelete,
  webhooksList,
  webhooksMessages,
  webhooksReplay,
} from './webhooks.ts';
import { SIGNINGS } from '../contract/webhook-types.ts';
import {
  ticketsAny,
  ticketsChoose,
  ticketsHiEvents,
  ticketsImport,
  ticketsKeep,
  ticketsList,
  ticketsPretix,
  ticketsRemove,
} from './tickets.ts';
import { verificationCreate, verificationList, verificationUpdate } from './verification.ts';
import { CSV_ENCODINGS } from '../contract/console/csv.ts';
import { BLOCK_ACTIONS, MOST_BLOCK_DAYS } from '../contract/console/blocks.ts';
import { REVIEW_DECISIONS } from '../contract/console/reviews.ts';
import { LANGUAGES } from '../contract/languages.ts';
import { OVERLAPS } from '../contract/console/keys.ts';

/** The program with all its commands. Errors are thrown, never printed. */
export function createProgram(): Command {
  const runs = new Set<Command>();
  const program = new Command('gatehouse')
    .usage('<command> [options]')
    .option('--data-dir <dir>', 'data folder (default: GATEHOUSE_DATA_DIR, or your application folder)')
    .option('--json', 'print one JSON value')
    .option('--key-stdin', 'read the key of the database from standard input: 64 hexadecimal characters')
    .helpOption('--help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: (command) =>
        command.commands.flatMap((inner) =>
          (inner.usage().startsWith('<command>') ? [] : [inner]).concat(inner.commands),
        ),
      subcommandTerm: (command) => `${nameOf(command)} ${argumentsOf(command)}`.trim(),
    });
  refuseUnknown(program);

  /**
   * @param name the command with its arguments: `backup create <file>`
   * @param run returns the answer; undefined if it has printed it
   */
  function add(
    name: string,
    description: string,
    run: (input: CommandInput) => Promise<unknown>,
    options: readonly Option[] = [],
  ): void {
    const [, group, rest] = /^([a-z-]+) ([a-z].*)$/.exec(name) ?? [];
    const parent = group === undefined ? program : groupOf(program, group);
    const command = parent.command(rest ?? name).description(description);
    for (const option of options) command.addOption(option);
    runs.add(command);
    command.action(async () => {
      const input = { values: valuesOf(command), positionals: command.args };
      const answered = await run(input);
      if (answered !== undefined) answer(input, answered);
    });
  }

  const serveOptions = [
    text('--port <n>', 'port of the service (default: 4180)'),
    text('--host <address>', 'address the service listens on (default: 127.0.0.1)'),
    text('--console-port <n>', 'port of the console (default: the next one)'),
    new Option('--lan', 'serve the venue’s network over HTTPS'),
  ];
  add('serve', 'Run the service until it is stopped', serve, serveOptions);
  add('doctor', 'Say whether all is well, and what to do; exits with 0, 1, 2 or 3', doctor, [
    text('--port <n>', 'port of the service (default: 4180)'),
  ]);
  add('company create', 'Create a company and print its keys once', companyCreate, [
    required('--name <name>', 'name of the company'),
  ]);
  add('company list', 'List companies', companyList);
  add('company update', 'Change the name of a company, and whom guests ask about their data', companyUpdate, [
    COMPANY,
    text('--name <name>', 'name of the company'),
    text('--privacy-contact <text>', 'shown to guests; empty removes it'),
  ]);
  add('keys list', 'List the keys of a company', keysList, [COMPANY]);
  add('keys export', 'Issue test keys and print them as lines for a shell', keysExport, [
    text('--company <id>', 'company ID (default: the oldest)'),
  ]);
  add('keys rename', 'Say what a key pair is for', keysRename, [
    COMPANY,
    required('--pair <id>', 'ID of the pair'),
    text('--name <text>', 'what the keys are for; without it, the name is removed'),
  ]);
  add('keys revoke', 'Revoke a key, or both keys of a pair', keysRevoke, [
    COMPANY,
    required('--key <id>', 'ID of the key or of the pair'),
    REASON,
  ]);
  add('keys roll', 'Replace a key pair and print the new keys once', keysRoll, [
    COMPANY,
    required('--pair <id>', 'ID of the pair to replace'),
    choice('--overlap <time>', `how long the old keys stay active ${REQUIRED}`, OVERLAPS),
    REASON,
  ]);
  add('limit set', 'Set the daily cap of a company', limitSet, [
    COMPANY,
    required('--daily <n>', 'checks that may complete per day'),
  ]);
  add('reviews list', 'List open cases', reviewsList, [text('--company <id>', 'company ID (default: all)')]);
  add('reviews decide', 'Decide a case', reviewsDecide, [
    required('--case <id>', 'case ID'),
    choice('--decision <decision>', `decision ${REQUIRED}`, REVIEW_DECISIONS),
    REASON,
  ]);
  add('invites list', 'List the invites of a company', invitesList, [COMPANY]);
  add('invites revoke', 'Revoke an invite', invitesRevoke, [
    COMPANY,
    required('--invite <id>', 'invite ID'),
    REASON,
  ]);
  add('operator create', 'Create an operator', operatorCreate, [
    required('--name <name>', 'name of the operator'),
    choice('--role <role>', `role of the operator ${REQUIRED}`, ROLES),
    COMPANIES,
    PASSPHRASE,
  ]);
  add('operator update', 'Change the name, role or companies of an operator', operatorUpdate, [
    OPERATOR,
    text('--name <name>', 'new name'),
    choice('--role <role>', 'new role', ROLES),
    COMPANIES,
    REASON,
  ]);
  add('operator list', 'List operators', operatorList);
  add('operator reset', 'Set a new passphrase, or remove the second factor or the passkeys', operatorReset, [
    OPERATOR,
    REASON,
    PASSPHRASE,
    new Option('--second-factor', 'remove the authenticator and its recovery codes; keep the passphrase'),
    new Option('--passkeys', 'remove all passkeys; keep passphrase and second factor'),
  ]);
  add('event list', 'List events', eventList, [COMPANY, PARTITION]);
  add('event create', 'Create an event', eventCreate, [
    COMPANY,
    PARTITION,
    required('--name <name>', 'name of the event'),
    required('--starts <time>', 'start, in ISO 8601; without an offset in the venue’s time'),
    required('--ends <time>', 'end, in ISO 8601'),
    ...EVENT_FIELDS,
  ]);
  add('event update', 'Change an event', eventUpdate, [
    COMPANY,
    PARTITION,
    EVENT,
    REASON,
    text('--name <name>', 'new name'),
    text('--starts <time>', 'new start, in ISO 8601; without an offset in the venue’s time'),
    text('--ends <time>', 'new end, in ISO 8601'),
    ...EVENT_FIELDS,
  ]);
  add('tickets list', 'List where the tickets of an event come from', ticketsList, [
    COMPANY,
    PARTITION,
    EVENT,
  ]);
  add('tickets import', 'Import a ticket list from a CSV file, or rehearse it', ticketsImport, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--file <path>', 'the CSV file'),
    text('--name <name>', 'name of a new list'),
    text('--list <id>', 'the list that the file replaces'),
    text('--columns <list>', 'what columns mean, from 0: code:2,name:0,last_name,kind,party,note,state'),
    choice('--encoding <name>', 'encoding of the file (default: as found)', CSV_ENCODINGS),
    new Option('--cancel-gone', 'cancel tickets of the list that the file no longer has'),
    new Option('--rehearse', 'say what would happen, and do nothing'),
  ]);
  add('tickets any', 'Accept any code, bound to the first guest who comes with it', ticketsAny, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--name <name>', 'name of the source'),
  ]);
  add('tickets pretix', 'Pair with pretix as a new device', ticketsPretix, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--pairing <json>', 'content of the QR code that pretix shows'),
  ]);
  add('tickets choose', 'List or choose the event and check-in list of a paired pretix', ticketsChoose, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--source <id>', 'source ID'),
    text('--pretix-event <slug>', 'short form of the event in pretix'),
    text('--pretix-list <id>', 'ID of its check-in list'),
  ]);
  add('tickets hi-events', 'Connect a check-in list of Hi.Events', ticketsHiEvents, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--link <address>', 'link of the check-in list'),
  ]);
  add('tickets keep', 'Set for how long the event keeps names and codes of tickets', ticketsKeep, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--days <number>', 'days after the event’s end (default: 30)'),
  ]);
  add('tickets remove', 'Remove a source with its tickets', ticketsRemove, [
    COMPANY,
    PARTITION,
    EVENT,
    required('--source <id>', 'source ID'),
    REASON,
  ]);
  add('webhooks list', 'List webhooks of v3', webhooksList, [COMPANY, PARTITION]);
  add('webhooks create', 'Create a webhook of v3 and print its secret', webhooksCreate, [
    COMPANY,
    PARTITION,
    required('--url <address>', 'where events are sent'),
    text('--events <names>', 'events to send, with commas between them (default: all)'),
    choice('--signing <kind>', 'how calls are signed (default: shared_secret)', SIGNINGS),
  ]);
  add('webhooks delete', 'Delete a webhook of v3', webhooksDelete, [
    COMPANY,
    PARTITION,
    required('--webhook <id>', 'webhook ID'),
    REASON,
  ]);
  add(
    'webhooks messages',
    'List what a webhook of v3 was sent, or show one message with its attempts',
    webhooksMessages,
    [COMPANY, PARTITION, required('--webhook <id>', 'webhook ID'), text('--message <id>', 'message ID')],
  );
  add('webhooks replay', 'Send failed messages of a webhook of v3 again', webhooksReplay, [
    COMPANY,
    PARTITION,
    required('--webhook <id>', 'webhook ID'),
    required('--since <time>', 'messages of that time and later, such as 2026-01-31T18:00:00Z'),
    new Option('--include-completed', 'send those that were received as well'),
  ]);
  add('listen', 'Print test events and forward them, until it is stopped', listen, [
    required('--forward-to <address>', 'where test events go, such as http://localhost:3000/webhooks'),
    text('--company <id>', 'company ID (default: the oldest)'),
  ]);
  add('trigger <event>', 'Send a test event with sample data to the webhooks that get it', trigger, [
    text('--company <id>', 'company ID (default: the oldest)'),
  ]);
  add('codes list', 'List phone codes to be read out', codesList, [COMPANY, PARTITION]);
  add('codes make', 'Make the humans-only code of a pass, or print it again', codesMake, [
    COMPANY,
    PARTITION,
    required('--pass <id>', 'pass ID, from the confirmation of the check'),
  ]);
  add('codes verify', 'Check a humans-only code with public keys, without any data', codesVerify, [
    required('--code <code|->', 'the code; "-" reads it from standard input'),
    CODE_KEYS,
  ]);
  add('codes key', 'Print the public keys of an event’s humans-only codes, or make a new one', codesKey, [
    COMPANY,
    PARTITION,
    EVENT,
    new Option('--rotate', 'sign new codes with a new key'),
    new Option('--end-codes', 'with --rotate: end older codes that nobody redeemed here'),
    text('--reason <text>', 'with --rotate: reason, kept in the audit log'),
  ]);
  add('people twins', 'List people who have the same address as another person', peopleTwins, [COMPANY]);
  add(
    'people import <file>',
    'Import people from another service: IDs, details, earlier results',
    peopleImport,
    [COMPANY, PARTITION, new Option('--rehearse', 'count what it would do, and change nothing')],
  );
  add('people blocks', 'List the people on the block list', peopleBlocks, [COMPANY, PARTITION]);
  add('people block', 'Refuse a person, or send them to a reviewer, from the next check on', peopleBlock, [
    COMPANY,
    PARTITION,
    PERSON,
    choice('--action <action>', `what a check does ${REQUIRED}`, BLOCK_ACTIONS),
    required('--days <n>', `days from now, at most ${MOST_BLOCK_DAYS}`),
    required('--contact <text>', 'whom the guest can ask'),
    REASON,
  ]);
  add('people unblock', 'End the block of a person', peopleUnblock, [COMPANY, PARTITION, PERSON, REASON]);
  const language = choice('--language <tag>', 'language of the paper (default: en)', LANGUAGES);
  add('privacy record', 'Print the record of processing that was kept last', privacyRecord, [
    COMPANY,
    PARTITION,
    language,
  ]);
  add('privacy assessment', 'Print the impact assessment that was kept last', privacyAssessment, [
    COMPANY,
    PARTITION,
    language,
  ]);
  add('test-data clear', 'Delete the test data of a company', testDataClear, [COMPANY]);
  add('test-clock show', 'Show how much time has passed for the test data', testClockShow, [COMPANY]);
  add('test-clock advance', 'Let time pass for the test data of a company', testClockAdvance, [
    COMPANY,
    required('--seconds <n>', 'how many seconds, such as 86400 for a day'),
  ]);
  add('backup create <file>', 'Create a backup', backupCreate, [
    new Option('--replace', 'replace a Gatehouse backup of this name; no other file is ever replaced'),
  ]);
  add('backup restore <file>', 'Restore a backup; stop the service first', backupRestore, [
    text('--phrase-file <file|->', 'file with the recovery phrase; "-" reads it from standard input'),
    text(
      '--confirm-admins <code>',
      'confirm the admins that the command has shown, by the code shown with them',
    ),
    new Option('--keep-access', 'keep operators, keys and kiosks that the replaced data never had'),
  ]);
  add('backup phrase', 'Create a new recovery phrase and print it once', backupPhrase);
  add('update verify <file>', 'Say whether an update can be installed here', updateVerify);
  add('update install <file>', 'Install an update; the service restarts', updateInstall, [
    new Option(
      '--database-is-saved',
      'on PostgreSQL: there is a backup of the database, made by its own tools',
    ),
  ]);
  add('update status', 'Show the version and what became of the last update', updateStatus);
  add(
    'update try',
    'Start on the data out of reach, and end; the version before an update runs it',
    updateTry,
  );
  add('result-token-key rotate', 'Replace the key of the result tokens', resultTokenKeyRotate, [REASON]);
  add('database-key rotate', 'Encrypt the secrets on PostgreSQL with the newest key', databaseKeyRotate, [
    REASON,
  ]);
  add('secrets list', 'List all keys and secrets by kind, with their age and place', secretsList);
  add('retention run', 'Delete expired data now', retentionRun, [
    new Option('--confirm-clock', 'confirm that the clock is right; creates a backup first'),
  ]);
  add('record', 'Record a capture to measure error rates on', record, [
    required('--organiser <name>', 'who records; shown to the person'),
    required('--identity <name>', 'name of the person shown that only you can resolve, such as p01'),
    text('--attack <species>', 'kind of attack, such as print (default: none, a genuine person)'),
    LABELS,
    choice('--challenge <mode>', 'mode of the capture (default: strict)', RECORDING_MODES),
    text('--keep-days <n>', 'days until the recording is deleted (default: 90)'),
    text('--port <n>', 'port of the page (default: a free one)'),
  ]);
  add('recordings list', 'List recordings', recordingsList);
  add('recordings delete', 'Delete the recordings of a person, or all', recordingsDelete, [
    text('--code <code>', 'code that the person was given'),
    new Option('--all', 'delete all recordings'),
  ]);
  add('data move <dir>', 'Move the data folder', dataMove);
  add(
    'data copy',
    'Copy all data to PostgreSQL, or from it into a folder; stop the service first',
    dataCopy,
    [
      required('--to <address|dir>', 'postgres:// address of an empty database, or an empty folder'),
      new Option('--rehearse', 'copy and compare everything, then undo it'),
    ],
  );
  add('data reopen', 'Use data again that was copied; only if the copy is not in use', dataReopen, [REASON]);
  add('demo', 'Create a company with sample data', demo, [
    choice('--size <size>', 'amount of sample data (default: small)', DEMO_SIZES),
  ]);
  add('demo remove', 'Remove the company with sample data, and everything in it', demoRemove, [REASON]);
  add('audit verify', 'Verify the audit log', auditVerify);
  add('metrics token', 'Create a token for /metrics and print it once', metricsToken);
  add('metrics revoke', 'Revoke the token for /metrics', metricsRevoke);
  add('maintenance on', 'Turn maintenance on', maintenanceOn, [
    text('--until <time>', 'announced end, in ISO 8601; without an offset in the venue’s time'),
  ]);
  add('maintenance off', 'Turn maintenance off', maintenanceOff);
  add('verification list', 'List verifications', verificationList, [COMPANY]);
  add('verification create', 'Create a verification', verificationCreate, [COMPANY, ...VERIFICATION_FIELDS]);
  add('verification update', 'Change a verification; an empty value clears a field', verificationUpdate, [
    COMPANY,
    required('--verification <id>', 'verification ID'),
    ...VERIFICATION_FIELDS,
  ]);
  return program;
}

/** The group of commands with that name, created with its first command. */
function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? refuseUnknown(program.command(name).usage('<command> [options]'));
}

function refuseUnknown(command: Command): Command {
  return command.on('command:*', (words: string[]) => {
    const name = [...nameOf(command).split(' '), ...words].filter(Boolean).slice(0, 2).join(' ');
    throw new CliError(`There is no command "${name}". Run "gatehouse help" for a list.`);
  });
}

/** The arguments after `gatehouse`. */
const nameOf = (command: Command): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();

const argumentsOf = (command: Command): string =>
  command.registeredArguments.map((argument) => `<${argument.name()}>`).join(' ');

/** Option names as typed: `data-dir`. */
function valuesOf(command: Command): CommandInput['values'] {
  const given = command.optsWithGlobals<CommandInput['values']>();
  const options: Option[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) options.push(...at.options);
  return Object.fromEntries(options.map((option) => [option.name(), given[option.attributeName()]]));
}
