/** Humans-only codes from the command line. */
import { text as readAll } from 'node:stream/consumers';
import { isSignedBy, keyIdOf, readHumanCode, readKeyText } from '../domain/tickets/human-code.ts';
import { systemClock } from '../services/ports/clock.ts';
import { makeCodeOfPass, readCodeKeys, rotateCodeKey } from '../services/tickets/human-codes.ts';
import { CliError, type CommandInput, optionalText, repeatedTexts, requiredText } from './io.ts';
import { CLI_ACTOR, inScope } from './with-database.ts';

/** The code of a pass; the same one each time. */
export async function codesMake(input: CommandInput): Promise<unknown> {
  const passId = requiredText(input, 'pass');
  return inScope(input, (deps, scope) => makeCodeOfPass(deps, scope, { passId, actor: CLI_ACTOR }));
}

/** Reads no data: as a verifier elsewhere does it, without remembering what was used. */
export async function codesVerify(input: CommandInput): Promise<unknown> {
  const given = requiredText(input, 'code');
  const keys = (repeatedTexts(input, 'key') ?? []).map((text) => {
    const key = readKeyText(text.trim());
    if (key === null)
      throw new CliError('--key takes a public key, hcpk_…. "gatehouse codes key" prints it.');
    return key;
  });
  if (keys.length === 0) throw new CliError('--key is needed.');
  const code = readHumanCode((given === '-' ? await readAll(process.stdin) : given).trim());
  if (code === null) throw new CliError('This is not a humans-only code.');
  const key = keys.find((one) => keyIdOf(one) === code.keyId);
  if (key === undefined)
    throw new CliError(`The code is of another event, or of the key ${code.keyId} that was not given.`);
  if (!isSignedBy(code, key)) throw new CliError('The code was changed, or is forged.');
  const expiresAt = new Date(code.expiresAt).toISOString();
  if (code.expiresAt <= systemClock.now()) throw new CliError(`The code expired at ${expiresAt}.`);
  return { valid: true, key_id: code.keyId, serial: code.serial, expires_at: expiresAt };
}

/** The public keys of an event with their counts; `--rotate` makes a new one first. */
export async function codesKey(input: CommandInput): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  const endsCodes = input.values['end-codes'] === true;
  const rotates = input.values['rotate'] === true;
  if (endsCodes && !rotates) throw new CliError('--end-codes needs --rotate.');
  const reason = rotates ? requiredText(input, 'reason') : (optionalText(input, 'reason') ?? '');
  const { items } = await inScope(input, (deps, scope) =>
    rotates
      ? rotateCodeKey(deps, scope, { eventId, endsCodes, reason, actor: CLI_ACTOR })
      : readCodeKeys(deps, scope, eventId),
  );
  return items;
}
