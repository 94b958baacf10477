/**
 * Runs Gatehouse behind the reverse proxies whose configuration a page shows: HTTPS under the public name, a WebSocket, an event
 * stream, and the address of the client. Only the ports, the certificate and Caddy's source of it are replaced.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { codeBlocksOf, textOf } from '../../testing/documents/documents.ts';
import { limitMs } from '../../testing/tier.ts';
import { inFolder } from '../support/documented.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { freePorts } from '../support/service/free-ports.ts';
import { startGatehouse } from '../support/service/server.ts';

const NAME = 'verify.example.org';
const shown = (language: string): string =>
  codeBlocksOf(textOf('docs/how-to/use-a-reverse-proxy.md')).find((block) => block.language === language)
    ?.code ?? '';

type Place = { folder: string; port: number; upstream: string; key: string; certificate: string };
type Proxy = {
  program: string;
  versionArgument: string;
  start: (place: Place) => Promise<[string, string[]]>;
};

const PROXIES: Record<string, Proxy> = {
  nginx: {
    program: 'nginx',
    versionArgument: '-v',
    async start({ folder, port, upstream, key, certificate }) {
      const server = shown('nginx')
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace(`/etc/nginx/${NAME}.crt`, certificate)
        .replace(`/etc/nginx/${NAME}.key`, key)
        .replace('127.0.0.1:4180', upstream);
      const file = path.join(folder, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join('\n');
      await writeFile(
        file,
        `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
         http { access_log off; ${temporary}\n${server} }`,
      );
      expect(spawnSync('nginx', ['-t', '-c', file]).status).toBe(0);
      return ['nginx', ['-c', file]];
    },
  },
  Caddy: {
    program: 'caddy',
    versionArgument: 'version',
    async start({ folder, port, upstream, key, certificate }) {
      const site = shown('caddy')
        .replace(`${NAME} {`, `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
        .replace('127.0.0.1:4180', upstream);
      const file = path.join(folder, 'Caddyfile');
      await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
      return ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]];
    },
  },
};

for (const [name, { program, versionArgument, start }] of Object.entries(PROXIES)) {
  test.describe(name, () => {
    prerequisite(
      spawnSync(program, [versionArgument]).error === undefined
        ? null
        : `${name} is not installed (apt-get install ${program}).`,
    );

    test('passes on pages, a WebSocket, an event stream and the address, as its page says', () =>
      inFolder(async (folder) => {
        test.setTimeout(limitMs(90_000));
        const [port = 0] = await freePorts(1);
        const env = { GATEHOUSE_PUBLIC_URL: `https://${NAME}`, GATEHOUSE_TRUSTED_HOPS: '1' };
        const gatehouse = await startGatehouse({ env });
        const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
        const subject = `-subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`;
        const options = `-x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} ${subject}`;
        execFileSync('openssl', ['req', ...options.split(' ')], { stdio: 'ignore' });
        await mkdir(path.join(folder, 'home'));
        const place = { folder, port, upstream: gatehouse.listening, key, certificate };
        const [command, args] = await start(place);
        const home = path.join(folder, 'home');
        const proxy = spawn(command, args, {
          env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
          stdio: 'ignore',
        });

        const ask = (
          method: string,
          address: string,
          headers: Record<string, string> = {},
          localAddress = '127.0.0.1',
        ) =>
          request({
            localAddress,
            ...{ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false, agent: false },
            ...{ method, path: address },
            headers: { host: NAME, ...headers },
          });
        const answerOf = async (asked: ReturnType<typeof ask>) => {
          const [reply] = (await once(asked, 'response')) as [IncomingMessage];
          return reply;
        };
        const statusOf = async () => {
          const asked = ask('GET', '/readyz');
          asked.end();
          return answerOf(asked).then(
            (reply) => {
              reply.resume();
              return reply.statusCode;
            },
            () => 0,
          );
        };
        try {
          await expect.poll(statusOf, { timeout: limitMs(20_000) }).toBe(200);

          // A check is started, and its links have the public name.
          const starting = ask('POST', '/v3/initialize', {
            authorization: `Bearer ${gatehouse.company.keys.sk_test}`,
            'content-type': 'application/json',
          });
          starting.end(JSON.stringify({ external_id: 'ticket-1042' }));
          const reply = await answerOf(starting);
          expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
          const { url } = JSON.parse(await text(reply)) as { url: string };
          expect(url).toMatch(new RegExp(`^https://${NAME}/verification\\?vys=`));

          // The guest's page opens the check.
          const id = new URL(url).searchParams.get('vys') ?? '';
          const opening = ask('POST', `/flow/sessions/${id}/open`, { 'content-type': 'application/json' });
          opening.end(JSON.stringify({ device: 'mobile' }));
          const opened = await answerOf(opening);
          const { flow_token: token } = JSON.parse(await text(opened)) as { flow_token: string };

          // The capture's WebSocket reaches Gatehouse.
          const socket = ask('GET', `/flow/sessions/${id}/capture`, {
            connection: 'Upgrade',
            upgrade: 'websocket',
            origin: `https://${NAME}`,
            'sec-websocket-version': '13',
            'sec-websocket-key': randomBytes(16).toString('base64'),
          });
          socket.end();
          const [switched, line] = (await once(socket, 'upgrade')) as [IncomingMessage, Duplex];
          expect(switched.statusCode).toBe(101);
          line.destroy();

          // An event stream arrives while it is open.
          const watching = ask('GET', `/flow/sessions/${id}/events`, { 'x-flow-token': token });
          watching.end();
          const stream = await answerOf(watching);
          expect([stream.statusCode, stream.headers['content-type']]).toEqual([
            200,
            'text/event-stream; charset=utf-8',
          ]);
          const [first] = (await once(stream, 'data')) as [Buffer];
          expect(first.length).toBeGreaterThan(0);
          stream.destroy();

          // A client is limited by its own address, whatever it claims, and another one is not.
          const refusalOf = async (localAddress: string, claimed: string) => {
            const asked = ask(
              'POST',
              '/v2/verification/status',
              { 'x-forwarded-for': claimed },
              localAddress,
            );
            asked.end();
            const answer = await answerOf(asked);
            answer.resume();
            return answer.statusCode;
          };
          const refusals: unknown[] = [];
          for (let n = 1; n <= 7; n++) refusals.push(await refusalOf('127.0.0.1', `198.51.100.${n}`));
          expect(refusals.at(0)).not.toBe(429);
          expect(refusals.at(-1)).toBe(429);
          expect(await refusalOf('127.0.0.2', '198.51.100.1')).not.toBe(429);
        } finally {
          const ended = once(proxy, 'exit');
          proxy.kill('SIGTERM');
          // Ends its open streams, for which the proxy waits.
          await gatehouse.stop();
          await ended;
        }
      }));
  });
}
