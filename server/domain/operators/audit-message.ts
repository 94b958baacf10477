/** Entries of the audit log as other systems read them: JSON or CEF, and frames of syslog (RFC 5424, RFC 5425). */

export const AUDIT_FORMATS = ['json', 'cef'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** An entry with its place in its chain. `at` in epoch milliseconds, hashes in hexadecimal. */
export type ChainedEntry = {
  seq: number;
  at: number;
  actor: string;
  action: string;
  companyId: string | null;
  partition: string | null;
  subject: string;
  details: Readonly<Record<string, unknown>>;
  previousHash: string;
  hash: string;
};

export type Sender = { host: string; version: string; processId: number };

/** Failed sign-ins, and keys and roles that were refused. */
const isAlarm = (action: string): boolean => /refused|failed|locked/.test(action);

/** `details` stand as they were hashed, so that a receiver can check the chain. */
const asJson = (entry: ChainedEntry): string =>
  JSON.stringify({
    seq: entry.seq,
    at: new Date(entry.at).toISOString(),
    actor: entry.actor,
    action: entry.action,
    company_id: entry.companyId,
    partition: entry.partition,
    subject: entry.subject,
    details: entry.details,
    previous_hash: entry.previousHash,
    hash: entry.hash,
  });

const inHeader = (text: string): string => text.replace(/[\\|]/g, String.raw`\$&`).replace(/[\r\n]+/g, ' ');
const inExtension = (text: string): string =>
  text
    .replace(/[\\=]/g, String.raw`\$&`)
    .replace(/\r/g, String.raw`\r`)
    .replace(/\n/g, String.raw`\n`);

const ALARM_SEVERITY = 6;
const USUAL_SEVERITY = 3;

/** ArcSight's Common Event Format, version 0. */
function asCef(entry: ChainedEntry, { version }: Sender): string {
  const severity = isAlarm(entry.action) ? ALARM_SEVERITY : USUAL_SEVERITY;
  const header = ['Gatehouse', 'Gatehouse', version, entry.action, entry.action, String(severity)];
  const fields: [string, string | null][] = [
    ['rt', String(entry.at)],
    ['externalId', String(entry.seq)],
    ['suser', entry.actor],
    ['duid', entry.subject],
    ['cs1Label', 'companyId'],
    ['cs1', entry.companyId],
    ['cs2Label', 'partition'],
    ['cs2', entry.partition],
    ['cs3Label', 'previousHash'],
    ['cs3', entry.previousHash],
    ['cs4Label', 'hash'],
    ['cs4', entry.hash],
    ['msg', JSON.stringify(entry.details)],
  ];
  const given = fields.filter((field): field is [string, string] => field[1] !== null);
  const extension = given.map(([name, value]) => `${name}=${inExtension(value)}`).join(' ');
  return `CEF:0|${header.map(inHeader).join('|')}|${extension}`;
}

/** One line without a line break. */
export const auditMessage = (entry: ChainedEntry, format: AuditFormat, sender: Sender): string =>
  format === 'json' ? asJson(entry) : asCef(entry, sender);

/** Facility 13, log audit. */
const FACILITY = 13;
const WARNING = 4;
const NOTICE = 5;
const LONGEST_HOST = 255;
const LONGEST_ID = 32;

/** Printable ASCII without spaces, or "-" (RFC 5424 §6). */
const inSyslogHeader = (text: string, longest: number): string =>
  text.replace(/[^\x21-\x7e]/g, '').slice(0, longest) || '-';

/** A syslog frame by octet counting (RFC 5425 §4.3). */
export function syslogFrame(entry: ChainedEntry, format: AuditFormat, sender: Sender): Buffer {
  const priority = FACILITY * 8 + (isAlarm(entry.action) ? WARNING : NOTICE);
  const header = [
    `<${priority}>1`,
    new Date(entry.at).toISOString(),
    inSyslogHeader(sender.host, LONGEST_HOST),
    'gatehouse',
    String(sender.processId),
    inSyslogHeader(entry.action, LONGEST_ID),
    '-',
  ].join(' ');
  const line = Buffer.from(`${header} ${auditMessage(entry, format, sender)}`);
  return Buffer.concat([Buffer.from(`${line.length} `), line]);
}
