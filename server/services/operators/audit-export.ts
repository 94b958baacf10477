/** Sends the audit log to syslog and to an HTTPS address. The log itself is the queue: what was sent is noted for each chain. */
import { once } from 'node:events';
import net from 'node:net';
import { hostname } from 'node:os';
import tls from 'node:tls';
import {
  type AuditFormat,
  auditMessage,
  type ChainedEntry,
  type Sender,
  syslogFrame,
} from '../../domain/operators/audit-message.ts';
import { entriesToSend, listChains, type SentUpTo } from '../../store/operators/audit-export.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';

export type AuditExportSetting = {
  /** `tls://host:port`, or `tcp://` to a receiver on this machine. */
  syslog: URL | null;
  /** `https://`, or `http://` to a receiver on this machine. */
  https: URL | null;
  /** Bearer token of the HTTPS receiver. */
  token: string | null;
  format: AuditFormat;
};

const RECEIVERS = ['syslog', 'https'] as const;
type Receiver = (typeof RECEIVERS)[number];

/** What was sent to a receiver, and since when it fails. Another address starts from the beginning of the log. */
type Progress = { address: string; sent: SentUpTo; failingSince: number | null };

const settingOf = (receiver: Receiver): string => `audit_export.${receiver}`;

/** Entries of one call. Details are short: at most about 200 kB. */
const BATCH = 200;
/** For all of one batch: a receiver that takes the bytes and never answers has failed, too. */
const LIMIT_MS = 15_000;

export type AuditExportFailure = { why: Receiver; since: number };

/** Whether the log is sent anywhere, and the failure that stands longest. */
export async function auditExportState(
  db: SqlReader,
): Promise<{ failure: AuditExportFailure | null } | null> {
  const found = await Promise.all(
    RECEIVERS.map(async (why) => ({ why, progress: await readSetting<Progress>(db, settingOf(why)) })),
  );
  const inUse = found.filter(({ progress }) => progress !== null);
  if (inUse.length === 0) return null;
  const failing = inUse
    .map(({ why, progress }) => ({ why, since: progress?.failingSince ?? null }))
    .filter((each): each is AuditExportFailure => each.since !== null)
    .toSorted((a, b) => a.since - b.since);
  return { failure: failing[0] ?? null };
}

/**
 * A turn sends everything that was not sent. A call that fails, or whose answer is lost, is made again at the next turn, so an
 * entry may arrive twice: its `hash` tells.
 */
export function createAuditExport(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  setting: AuditExportSetting,
  { version, ending, limitMs = LIMIT_MS }: { version: string; ending?: AbortSignal; limitMs?: number },
): () => Promise<void> {
  const sender: Sender = { host: hostname(), version, processId: process.pid };
  const isEnding = () => ending?.aborted === true;
  const limit = () => AbortSignal.any([AbortSignal.timeout(limitMs), ...(ending ? [ending] : [])]);
  const isUsed = setting.syslog !== null || setting.https !== null;
  let isForgotten = false;
  return async () => {
    // What an earlier setting left is forgotten once; afterwards a turn costs nothing.
    if (!isUsed && isForgotten) return;
    isForgotten = true;
    const outcomes = await Promise.allSettled(
      RECEIVERS.map((receiver) => sendAll({ db, clock }, setting, { receiver, sender, isEnding, limit })),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

async function sendAll(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  setting: AuditExportSetting,
  {
    receiver,
    sender,
    isEnding,
    limit,
  }: { receiver: Receiver; sender: Sender; isEnding: () => boolean; limit: () => AbortSignal },
): Promise<void> {
  const kept = await readSetting<Progress>(db, settingOf(receiver));
  const save = (progress: Progress | null) => db.tx((tx) => writeSetting(tx, settingOf(receiver), progress));
  const to = setting[receiver];
  if (to === null) {
    if (kept !== null) await save(null);
    return;
  }
  const isSame = kept?.address === to.href;
  let progress: Progress = isSame ? kept : { address: to.href, sent: {}, failingSince: null };
  if (!isSame) await save(progress);
  const chains = await listChains(db);
  // A long log takes many batches; the next start continues with the rest.
  while (!isEnding()) {
    const entries = await entriesToSend(db, { sent: progress.sent, chains, limit: BATCH });
    if (entries.length === 0) return;
    try {
      await (receiver === 'syslog'
        ? toSyslog(
            to,
            entries.map((entry) => syslogFrame(entry, setting.format, sender)),
            limit(),
          )
        : toHttps(to, entries, { ...setting, sender, signal: limit() }));
    } catch (error) {
      // The receiver is not to blame.
      if (isEnding()) return;
      await save({ ...progress, failingSince: progress.failingSince ?? clock.now() });
      db.announce('health');
      throw error;
    }
    const sent = { ...progress.sent };
    for (const { companyId, seq } of entries) sent[companyId ?? ''] = seq;
    const hadFailed = progress.failingSince !== null;
    progress = { ...progress, sent, failingSince: null };
    await save(progress);
    if (hadFailed) db.announce('health');
  }
}

/** Syslog never answers: a batch was taken once the receiver has closed its side after ours. */
async function toSyslog(to: URL, frames: readonly Buffer[], signal: AbortSignal): Promise<void> {
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(to.port) };
  const socket =
    to.protocol === 'tls:'
      ? tls.connect({ ...address, ...(net.isIP(host) === 0 && { servername: host }), minVersion: 'TLSv1.2' })
      : net.connect(address);
  try {
    await once(socket, to.protocol === 'tls:' ? 'secureConnect' : 'connect', { signal });
    const closed = once(socket, 'close', { signal });
    socket.resume();
    socket.end(Buffer.concat(frames));
    await closed;
  } finally {
    socket.destroy();
  }
}

async function toHttps(
  to: URL,
  entries: readonly ChainedEntry[],
  {
    format,
    token,
    sender,
    signal,
  }: Pick<AuditExportSetting, 'format' | 'token'> & { sender: Sender; signal: AbortSignal },
): Promise<void> {
  const lines = entries.map((entry) => auditMessage(entry, format, sender));
  const reply = await fetch(to, {
    method: 'POST',
    redirect: 'error',
    signal,
    headers: {
      'content-type': format === 'json' ? 'application/x-ndjson' : 'text/plain; charset=utf-8',
      'user-agent': `Gatehouse/${sender.version}`,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: lines.map((line) => `${line}\n`).join(''),
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new Error(`The receiver of the audit log answered ${reply.status}.`);
}
