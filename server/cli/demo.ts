import { serverConfig } from '../config.ts';
import { readEngineManifests } from '../face/models/manifest.ts';
import { systemClock } from '../services/clock.ts';
import { makeDemo } from '../services/demo/make.ts';
import { DEMO_SIZES } from '../services/demo/size.ts';
import { answer, CliError, type CommandInput, optionalChoice } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Creates a demo company with people, cases and calls. Its keys are printed once. */
export async function demo(input: CommandInput): Promise<void> {
  const size = optionalChoice(input, 'size', DEMO_SIZES) ?? 'small';
  const { embed } = readEngineManifests(serverConfig({}).manifestDir);
  const { version: id, embeddingLength, thresholds } = embed;
  const model = { id, embeddingLength, thresholds };
  const made = await withDatabase(
    input,
    (db) => makeDemo(db, systemClock, { size, model, actor: CLI_ACTOR }),
    { mayBegin: true },
  );
  if (!made)
    throw new CliError(
      'This installation already has a demo company. For a new demo, choose another folder with --data-dir.',
    );
  answer(input, made);
}
