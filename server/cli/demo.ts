import { serverConfig } from '../config.ts';
import { readEngineManifests } from '../face/models/manifest.ts';
import { systemClock } from '../services/ports/clock.ts';
import { makeDemo } from '../services/demo/make.ts';
import { removeDemo } from '../services/demo/remove.ts';
import type { OnDemoProgress } from '../services/demo/state.ts';
import { DEMO_SIZES, SIZES } from '../services/demo/size.ts';
import { CliError, type CommandInput, optionalChoice, requiredText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Creates a demo company with people, cases and calls. Its keys are printed once. */
export async function demo(input: CommandInput): Promise<unknown> {
  const size = optionalChoice(input, 'size', DEMO_SIZES) ?? 'small';
  const { embed } = readEngineManifests(serverConfig({}).manifestDir);
  const { version: id, embeddingLength, thresholds } = embed;
  const model = { id, embeddingLength, thresholds };
  const made = await withDatabase(
    input,
    (db) =>
      makeDemo(db, systemClock, { size: SIZES[size], model, actor: CLI_ACTOR, onProgress: showProgress() }),
    { mayBegin: true },
  );
  if (!made)
    throw new CliError(
      'This installation already has a demo company, or is making one. "demo remove" removes it. For another, choose ' +
        'a new folder with --data-dir.',
    );
  return made;
}

/** Removes the demo company with everything in it. */
export async function demoRemove(input: CommandInput): Promise<unknown> {
  const reason = requiredText(input, 'reason');
  return withDatabase(input, (db) => removeDemo({ db, clock: systemClock }, { actor: CLI_ACTOR, reason }));
}

/** The small demo takes seconds. */
const FIRST_LINE_MS = 5_000;
const LINE_EVERY_MS = 10_000;

/** On a terminal, one line that changes; else a line every ten seconds, for demos that take minutes. */
function showProgress(): OnDemoProgress {
  const startedMs = performance.now();
  let nextMs = FIRST_LINE_MS;
  return (share) => {
    const passedMs = performance.now() - startedMs;
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\u001b[K${lineOf(share, passedMs)}${share === 1 ? '\n' : ''}`);
    } else if (passedMs >= nextMs) {
      nextMs = passedMs + LINE_EVERY_MS;
      process.stderr.write(`${lineOf(share, passedMs)}\n`);
    }
  };
}

function lineOf(share: number, passedMs: number): string {
  const left = Math.ceil((passedMs * (1 - share)) / share / 1_000);
  return `gatehouse: ${Math.floor(share * 100)} % of the demo is written, about ${left} s left`;
}
