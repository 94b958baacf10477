/** The audit log reaches other systems through their outages: nothing is lost, and each chain stays in order. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { auditExportState, type AuditExportSetting, createAuditExport } from './audit-export.ts';

type Line = {
  seq: number;
  action: string;
  subject: string;
  company_id: string | null;
  previous_hash: string;
  hash: string;
};

/** Frames by octet counting (RFC 5425 §4.3), as their JSON. */
function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = space + 1 + Number(bytes.subarray(at, space).toString());
    lines.push(JSON.parse(bytes.subarray(bytes.indexOf(0x7b, space), end).toString()) as Line);
    at = end;
  }
  return lines;
}

/** A syslog receiver on a port that stays the same. `silent`: takes bytes and never closes its side. */
async function syslogReceiver() {
  const received: Line[] = [];
  const open = new Set<net.Socket>();
  let isSilent = false;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      if (isSilent) return;
      received.push(...linesOf(Buffer.concat(chunks)));
      socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = async () => {
    for (const socket of open) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(end);
  return {
    received,
    url: new URL(`tcp://127.0.0.1:${port}`),
    end,
    async begin() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    beSilent: (is: boolean) => (isSilent = is),
  };
}

const NOWHERE: AuditExportSetting = { syslog: null, https: null, token: null, format: 'json' };

async function opened(setting: Partial<AuditExportSetting>) {
  const service = await openTestService();
  const { db, clock } = service.deps;
  const { companyId } = service.scope('live');
  const note = (subject: string, of: string | null = companyId) =>
    db.tx(
      (tx) =>
        appendAudit(tx, { at: clock.now(), actor: 'cli', action: 'company.change', companyId: of, subject }),
      ...(of === null ? [] : [{ companyId: of }]),
    );
  const turn = createAuditExport(
    service.deps,
    { ...NOWHERE, ...setting },
    { version: '0.1.0', limitMs: 400 },
  );
  return { ...service, db, note, turn };
}

it('every entry arrives once, each chain in order and linked by its hashes', async () => {
  const receiver = await syslogReceiver();
  const { note, turn, db } = await opened({ syslog: receiver.url });
  await note('one');
  await note('two', null);
  await turn();
  await note('three');
  await turn();
  await turn();
  const { received } = receiver;
  const all = await db.all<{ hash: Uint8Array }>('SELECT hash FROM audit_entries');
  expect(received.map(({ hash }) => hash).toSorted()).toEqual(
    all.map(({ hash }) => Buffer.from(hash).toString('hex')).toSorted(),
  );
  for (const company of new Set(received.map(({ company_id }) => company_id))) {
    const chain = received.filter(({ company_id }) => company_id === company);
    for (const [n, { previous_hash }] of chain.slice(1).entries()) expect(previous_hash).toBe(chain[n]?.hash);
  }
});

it.each(['away', 'silent'] as const)(
  'a receiver that is %s loses nothing, and the health says so',
  async (fault) => {
    const receiver = await syslogReceiver();
    const { note, turn, db, clock } = await opened({ syslog: receiver.url });
    await turn();
    if (fault === 'away') await receiver.end();
    else receiver.beSilent(true);
    const since = clock.now();
    await note('during the outage');
    await expect(turn()).rejects.toThrow();
    clock.advance(60_000);
    await expect(turn()).rejects.toThrow();
    expect(await auditExportState(db)).toEqual({ failure: { why: 'syslog', since } });
    if (fault === 'away') await receiver.begin();
    else receiver.beSilent(false);
    await turn();
    expect(receiver.received.filter(({ subject }) => subject === 'during the outage')).toHaveLength(1);
    expect(await auditExportState(db)).toEqual({ failure: null });
  },
);

it('an HTTPS receiver gets lines with its token, and a refusal is tried again', async () => {
  const bodies: string[] = [];
  const seen: (string | undefined)[] = [];
  let status = 503;
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(request.headers.authorization);
      if (status === 200) bodies.push(body);
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const https = new URL(`http://127.0.0.1:${port}/audit`);
  const { note, turn } = await opened({ https, token: 'secret', format: 'cef' });
  await note('one');
  await expect(turn()).rejects.toThrow('503');
  status = 200;
  await turn();
  expect(seen).toEqual(['Bearer secret', 'Bearer secret']);
  expect(
    bodies
      .join('')
      .trimEnd()
      .split('\n')
      .every((line) => line.startsWith('CEF:0|Gatehouse|')),
  ).toBe(true);
  expect(bodies.join('')).toContain('duid=one ');
});

it('entries of a company that was removed while its receiver was away are sent as well', async () => {
  const receiver = await syslogReceiver();
  const { turn, note } = await opened({ syslog: receiver.url });
  await note('one', 'gone');
  await turn();
  expect(receiver.received.filter(({ company_id }) => company_id === 'gone')).toHaveLength(1);
});

it.each(['syslog', 'https'] as const)(
  'the end of the service gives up a call to %s, and is no failure of the receiver',
  async (kind) => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) =>
      socket.on('error', () => undefined).resume(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = new URL(`${kind === 'syslog' ? 'tcp' : 'http'}://127.0.0.1:${port}`);
    const { note, db, deps } = await opened({});
    await note('one');
    const ending = new AbortController();
    const setting = { ...NOWHERE, [kind]: url };
    const turn = createAuditExport(deps, setting, { version: '0.1.0', ending: ending.signal })();
    await once(server, 'connection');
    ending.abort();
    await turn;
    expect(await auditExportState(db)).toEqual({ failure: null });
  },
);

it('another address starts from the beginning, and none is forgotten', async () => {
  const first = await syslogReceiver();
  const second = await syslogReceiver();
  const { note, turn, db, deps } = await opened({ syslog: first.url });
  await note('one');
  await turn();
  await createAuditExport(deps, { ...NOWHERE, syslog: second.url }, { version: '0.1.0' })();
  expect(second.received.map(({ hash }) => hash)).toEqual(first.received.map(({ hash }) => hash));
  await createAuditExport(deps, NOWHERE, { version: '0.1.0' })();
  expect(await auditExportState(db)).toBeNull();
});
