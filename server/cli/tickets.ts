/** An event's tickets from the command line: where they come from, and lists of them. */
import { readFileSync } from 'node:fs';
import { CSV_ENCODINGS } from '../contract/console/csv.ts';
import { MAX_KEEP_DAYS } from '../contract/ticket-values.ts';
import type { TicketSourceCreate } from '../contract/console/ticket-sources.ts';
import { createAsk } from '../services/tickets/ask.ts';
import { choosePretix, readChoices, readNow } from '../services/tickets/connect.ts';
import { importList } from '../services/tickets/import-list.ts';
import { changeTicketRules } from '../services/tickets/rules.ts';
import { createSource, readSources, removeSource } from '../services/tickets/sources.ts';
import { CliError, type CommandInput, optionalChoice, optionalText, requiredText } from './io.ts';
import { CLI_ACTOR, type depsOf, inScope } from './with-database.ts';

const asking = ({ webhooks, ...deps }: ReturnType<typeof depsOf>) => ({ ...deps, ask: createAsk(webhooks) });

export async function ticketsList(input: CommandInput): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  const { items } = await inScope(input, (deps, scope) => readSources(deps, scope, eventId));
  return items;
}

/** With `--rehearse`, says what would happen; otherwise imports. */
export async function ticketsImport(input: CommandInput): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  const bytes = readFile(requiredText(input, 'file'));
  const encoding = optionalChoice(input, 'encoding', CSV_ENCODINGS);
  const sourceId = optionalText(input, 'list') ?? null;
  const isRehearsal = input.values['rehearse'] === true;
  const name = optionalText(input, 'name') ?? null;
  if (!isRehearsal && sourceId === null && name === null)
    throw new CliError('A new list needs --name. To replace one, name it with --list.');
  const { sample: _, ...said } = await inScope(input, (deps, scope) =>
    importList(deps, scope, {
      eventId,
      bytes,
      sourceId,
      name,
      columns: optionalText(input, 'columns') ?? null,
      cancelsGone: input.values['cancel-gone'] === true,
      isRehearsal,
      actor: CLI_ACTOR,
      ...(encoding !== undefined && { encoding }),
    }),
  );
  return said;
}

/** Any code is let in once, and belongs to the first guest who came with it. */
export async function ticketsAny(input: CommandInput): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  const request = { kind: 'any', name: requiredText(input, 'name') } as const;
  return inScope(input, (deps, scope) =>
    createSource(asking(deps), scope, { eventId, request, actor: CLI_ACTOR }),
  );
}

/** Pairs with pretix; `tickets choose` then names its event and list. */
export const ticketsPretix = (input: CommandInput): Promise<unknown> =>
  connect(input, { kind: 'pretix', pairing: requiredText(input, 'pairing') });

export const ticketsHiEvents = (input: CommandInput): Promise<unknown> =>
  connect(input, { kind: 'hi_events', link: requiredText(input, 'link') });

function connect(input: CommandInput, request: TicketSourceCreate): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  return inScope(input, async (deps, scope) => {
    const source = await createSource(asking(deps), scope, { eventId, request, actor: CLI_ACTOR });
    return readNow(asking(deps), scope, { eventId, sourceId: source.source_id });
  });
}

/** Without both names, lists what there is to choose. */
export async function ticketsChoose(input: CommandInput): Promise<unknown> {
  const of = { eventId: requiredText(input, 'event'), sourceId: requiredText(input, 'source') };
  const event = optionalText(input, 'pretix-event');
  const list = Number(optionalText(input, 'pretix-list'));
  return inScope<unknown>(input, (deps, scope) =>
    event === undefined || !Number.isInteger(list)
      ? readChoices(asking(deps), scope, { ...of, event })
      : choosePretix(asking(deps), scope, { ...of, choice: { event, list }, actor: CLI_ACTOR }),
  );
}

/** For how long the event keeps names and codes after its end. */
export async function ticketsKeep(input: CommandInput): Promise<unknown> {
  const eventId = requiredText(input, 'event');
  const days = Number(requiredText(input, 'days'));
  if (!Number.isInteger(days) || days < 1 || days > MAX_KEEP_DAYS)
    throw new CliError(`--days is a whole number from 1 to ${MAX_KEEP_DAYS}.`);
  const change = { keep_days: days };
  await inScope(input, (deps, scope) =>
    changeTicketRules(deps, scope, { eventId, change, actor: CLI_ACTOR }),
  );
  return change;
}

export async function ticketsRemove(input: CommandInput): Promise<unknown> {
  const of = {
    eventId: requiredText(input, 'event'),
    sourceId: requiredText(input, 'source'),
    reason: requiredText(input, 'reason'),
    actor: CLI_ACTOR,
  } as const;
  await inScope(input, (deps, scope) => removeSource(asking(deps), scope, of));
  return { removed: of.sourceId };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CliError(`--file can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
