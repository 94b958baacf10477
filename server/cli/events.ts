import { readFileSync } from 'node:fs';
import { MIN_REASON_CHARS } from '../contract/console/common.ts';
import { EventCreate, type EventUpdate, FACES } from '../contract/console/events.ts';
import { KIOSK_LANGUAGES } from '../contract/kiosk.ts';
import { readCodes } from '../services/venue/door.ts';
import { changeEvent, createEvent, readEventPage } from '../services/venue/events.ts';
import { compile } from '../services/wire/validation.ts';
import { CliError, type CommandInput, optionalText, requiredText } from './io.ts';
import { CLI_ACTOR, inScope } from './with-database.ts';

/** One page of the console’s API; older events are in the console. */
const LISTED = 100;

/** Latest start first. */
export async function eventList(input: CommandInput): Promise<unknown> {
  const { items } = await inScope(input, (deps, scope) => readEventPage(deps, scope, { limit: LISTED }));
  return items;
}

export async function eventCreate(input: CommandInput): Promise<unknown> {
  const request = checked({
    name: requiredText(input, 'name'),
    starts_at: requiredText(input, 'starts'),
    ends_at: requiredText(input, 'ends'),
    ...fieldsOf(input),
  });
  return inScope(input, (deps, scope) => createEvent(deps, scope, request, CLI_ACTOR));
}

/** Omitted options keep their values. */
export async function eventUpdate(input: CommandInput): Promise<unknown> {
  const id = requiredText(input, 'event');
  const change: EventUpdate = { ...fieldsOf(input), reason: requiredText(input, 'reason') };
  return inScope(input, async (deps, scope) =>
    changeEvent(deps, scope, id, checkedChange(change), CLI_ACTOR),
  );
}

/** Phone codes to read out, with masked numbers. */
export const codesList = (input: CommandInput): Promise<unknown> =>
  inScope(input, (deps, scope) => readCodes(deps, scope, { isLimited: false }));

function fieldsOf(input: CommandInput): Omit<EventUpdate, 'reason'> {
  const text = (option: string) => optionalText(input, option);
  const kind = text('limit');
  const languages = text('languages');
  const words = text('words');
  const fastLane = text('fast-lane');
  const faces = text('faces');
  const facesDays = text('faces-days');
  return {
    ...defined('name', text('name')),
    ...defined('starts_at', text('starts')),
    ...defined('ends_at', text('ends')),
    ...defined('verification_id', text('verification')),
    ...defined('group', text('group')),
    ...(kind !== undefined && { limit: readLimit(kind) }),
    ...(languages !== undefined && { languages: languages.split(',').map(readLanguage) }),
    ...(fastLane !== undefined && { fast_lane: readOnOff(fastLane) }),
    ...(faces !== undefined && { faces: readFaces(faces) }),
    ...(facesDays !== undefined && { faces_days: Number(facesDays) }),
    ...(words !== undefined && { words: readJson(words) as EventCreate['words'] }),
  };
}

const defined = <const Name extends string>(name: Name, value: string | undefined) =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, string>);

/** `none`, `total`, `day:2`: the kind, and the count unless it is 1. */
function readLimit(text: string): EventCreate['limit'] {
  const [kind = '', max = '1'] = text.split(':');
  return { kind, max: Number(max) } as EventCreate['limit'];
}

function readOnOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new CliError('--fast-lane takes on or off.');
  return text === 'on';
}

function readFaces(text: string) {
  const faces = FACES.find((known) => known === text);
  if (faces === undefined) throw new CliError(`--faces takes ${FACES.join(', ')}.`);
  return faces;
}

function readLanguage(text: string) {
  const language = KIOSK_LANGUAGES.find((known) => known === text.trim());
  if (language === undefined) throw new CliError(`--languages takes ${KIOSK_LANGUAGES.join(', ')}.`);
  return language;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    throw new CliError(`--words is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const check = compile(EventCreate, 'body');

function checked(request: EventCreate): EventCreate {
  const [finding] = check(request);
  if (finding) throw new CliError(`${finding.loc.slice(1).join('.')}: ${finding.msg}`);
  return request;
}

/** Uses the same schema; omitted values are filled in for the validation only. */
function checkedChange(change: EventUpdate): EventUpdate {
  const { reason, ...fields } = change;
  checked({ name: 'unchanged', starts_at: '2000-01-01', ends_at: '2000-01-02', ...fields });
  if (reason.length < MIN_REASON_CHARS)
    throw new CliError('--reason needs at least 3 characters. The audit log keeps it.');
  return change;
}
