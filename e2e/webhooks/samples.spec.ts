/** The sample receivers of the documentation. */
import { execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { WebhookBody } from '../../server/services/webhooks/queue.ts';
import { codeBlocksOf } from '../../testing/documents/documents.ts';
import { freePorts } from '../support/service/free-ports.ts';
import { prerequisite } from '../support/prerequisite.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../../docs/webhooks');
const EVENTS = path.resolve(import.meta.dirname, '../../docs/reference/events.md');
const SECRET = 'whsec_a-secret-of-this-test';
/** The first `go run` compiles. */
const START_TIMEOUT_MS = 60_000;

/** The call that the reference shows, for a user whose name is not ASCII. */
const CALL = JSON.stringify({
  ...(JSON.parse(
    codeBlocksOf(readFileSync(EVENTS, 'utf8')).find(({ language }) => language === 'json')?.code ?? '',
  ) as WebhookBody),
  reference_user_id: 'Zoë',
} satisfies WebhookBody);

type Sample = { language: string; command: string; version: string[]; args: (port: number) => string[] };

const SAMPLE_LIST: readonly Sample[] = [
  { language: 'Node', command: process.execPath, version: ['--version'], args: () => ['receiver.mjs'] },
  { language: 'Python', command: 'python3', version: ['--version'], args: () => ['receiver.py'] },
  {
    language: 'PHP',
    command: 'php',
    version: ['--version'],
    args: (port) => ['-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  { language: 'Go', command: 'go', version: ['version'], args: () => ['run', 'receiver.go'] },
];

function isInstalled({ command, version }: Sample): boolean {
  try {
    execFileSync(command, version, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const signature = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

for (const sample of SAMPLE_LIST) {
  test.describe(() => {
    prerequisite(isInstalled(sample) ? null : `${sample.language} is not installed.`);
    test(`the ${sample.language} receiver takes what is signed, and answers 401 to anything else`, async () => {
      const [port = 0] = await freePorts(1);
      const receiver = spawn(sample.command, sample.args(port), {
        cwd: SAMPLES,
        env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
        stdio: 'ignore',
        // `go run` starts a separate program, which ends with its group.
        detached: true,
      });
      const ended = once(receiver, 'exit');
      const post = async (body: string, header: string | null) => {
        const { status } = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json',
            ...(header === null ? {} : { 'x-hub-signature-256': header }),
          },
        });
        return status;
      };
      try {
        await expect
          .poll(() => post(CALL, signature(CALL)).catch(() => null), { timeout: START_TIMEOUT_MS })
          .toBe(204);
        expect(await post(CALL, signature(CALL, 'whsec_another'))).toBe(401);
        expect(await post(CALL.replace('COMPLETED', 'DENIED'), signature(CALL))).toBe(401);
        expect(await post(`${CALL} `, signature(CALL))).toBe(401);
        expect(await post(CALL, signature(CALL).slice(0, -1))).toBe(401);
        expect(await post(CALL, null)).toBe(401);
      } finally {
        if (receiver.pid !== undefined && receiver.exitCode === null) process.kill(-receiver.pid, 'SIGKILL');
        await ended;
      }
    });
  });
}
