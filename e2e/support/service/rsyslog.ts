/** Debian's rsyslog with TLS, as a venue's IT runs it, with its own port, certificate and file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueCertificate, newAuthority } from '../../../server/services/network/authority.ts';
import { limitMs } from '../../../testing/tier.ts';
import { freePorts } from './free-ports.ts';

const PROGRAM = '/usr/sbin/rsyslogd';
const START_MS = limitMs(10_000);

/** What is missing and how to get it; null if nothing is. */
export const missingRsyslog = (): string | null =>
  existsSync(PROGRAM)
    ? null
    : 'rsyslog with TLS is not installed (on Debian: apt-get install rsyslog rsyslog-gnutls).';

type Rsyslog = AsyncDisposable & {
  url: string;
  /** File with the certificate of the authority that senders must trust. */
  authority: string;
  /** Messages so far, without the header of syslog. */
  messages: () => string[];
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function openRsyslog(): Promise<Rsyslog> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-rsyslog-'));
  const file = (name: string) => path.join(folder, name);
  const nowMs = Date.now();
  const authority = await newAuthority('IT', nowMs);
  const subjects = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const { certificate, key } = await issueCertificate(authority, subjects, nowMs);
  const [port = 0] = await freePorts(1);
  await writeFile(file('authority.pem'), authority.certificate);
  await writeFile(file('certificate.pem'), certificate);
  await writeFile(file('key.pem'), key);
  await writeFile(
    file('rsyslog.conf'),
    `global(workDirectory="${folder}" defaultNetstreamDriverCAFile="${file('authority.pem')}"
  defaultNetstreamDriverCertFile="${file('certificate.pem')}" defaultNetstreamDriverKeyFile="${file('key.pem')}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" address="127.0.0.1" port="${port}")
template(name="message" type="string" string="%msg%\\n")
action(type="omfile" file="${file('messages')}" template="message")
`,
  );
  let daemon: ChildProcess | null = null;
  const stop = async () => {
    const running = daemon;
    daemon = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    daemon = spawn(PROGRAM, ['-n', '-f', file('rsyslog.conf'), '-i', file('rsyslog.pid')], {
      stdio: 'ignore',
    });
    const until = Date.now() + START_MS;
    while (!(await accepts(port))) {
      if (Date.now() > until) throw new Error('rsyslog did not start.');
      await sleep(50);
    }
  };
  return {
    url: `tls://127.0.0.1:${port}`,
    authority: file('authority.pem'),
    messages: () =>
      existsSync(file('messages'))
        ? readFileSync(file('messages'), 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => line.trim())
        : [],
    start,
    stop,
    /** Stops, and removes its files. */
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  const socket = net.connect({ host: '127.0.0.1', port });
  return new Promise((resolve) => {
    const say = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', say(true));
    socket.once('error', say(false));
  });
}
