/** `gatehouse record`: the options of one sitting, and its result. */
import { databaseFrom, dataDirFrom } from '../data/location.ts';
import { RECORDING_NAME } from '../domain/capture/recording.ts';
import {
  answer,
  CliError,
  type CommandInput,
  optionalChoice,
  optionalText,
  repeatedTexts,
  requiredText,
} from './io.ts';
import { auditRecordings } from './recordings.ts';
import { recordSitting, type Sitting } from './sitting.ts';

const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
/** Strict captures have enough steps to be measured in both modes. */
export const RECORDING_MODES = ['strict', 'standard'] as const;

/** Records one capture, and prints the link for the browser of this machine. */
export async function record(input: CommandInput): Promise<void> {
  const sitting: Sitting = {
    dataDir: dataDirFrom(optionalText(input, 'data-dir'), process.env),
    database: databaseFrom(process.env),
    organiser: requiredText(input, 'organiser'),
    identity: nameIn('identity', requiredText(input, 'identity')),
    attack: attackOf(optionalText(input, 'attack')),
    labels: labelsOf(repeatedTexts(input, 'label') ?? []),
    challenge: optionalChoice(input, 'challenge', RECORDING_MODES) ?? 'strict',
    keepDays: daysOf(optionalText(input, 'keep-days')),
    port: optionalText(input, 'port') ?? '0',
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { code, keptUntil, kept } = await recordSitting(sitting, {
    signal: stop.signal,
    onReady: (url) => process.stderr.write(`gatehouse: open ${url} in a browser on this machine\n`),
  });
  if (kept.length === 0) throw new CliError('Nothing was recorded. Run the command again for another try.');
  const details = { attack: sitting.attack, kept_until: keptUntil, recordings: kept.length };
  // Before the audit entry, which may fail: without the code, the person cannot be erased.
  answer(input, { code, kept_until: keptUntil, recordings: kept.map(({ name }) => name) });
  await auditRecordings(input, { action: 'recording.make', subject: code, details });
}

function nameIn(option: string, value: string): string {
  if (!RECORDING_NAME.test(value)) {
    throw new CliError(
      `--${option} must start with a small letter and have up to 32 small letters, digits, "-" and "_", not "${value}".`,
    );
  }
  return value;
}

function attackOf(species: string | undefined): string | null {
  if (species === undefined) return null;
  if (species === 'genuine') throw new CliError('Leave out --attack to record a genuine person.');
  return nameIn('attack', species);
}

function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [nameIn('label', name), nameIn('label', value.join('='))];
    }),
  );
}

function daysOf(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new CliError(`--keep-days must be a whole number from 1 to ${MOST_DAYS}, not "${text ?? ''}".`);
  return days;
}
