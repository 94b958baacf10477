/** An event's tickets from the command line: where they come from, and lists of them. */
import { readFileSync } from 'node:fs';
import { CSV_ENCODINGS } from '../contract/console/csv.ts';
import { systemClock } from '../services/ports/clock.ts';
import { MAX_KEEP_DAYS } from '../contract/ticket-values.ts';
import type { TicketSourceCreate } from '../contract/console/ticket-sources.ts';
import { parseAllowHosts } from '../domain/webhooks/destination.ts';
import { createAsk } from '../services/tickets/ask.ts';
import { choosePretix, readChoices, readNow } from '../services/tickets/connect.ts';
import { importList } from '../services/tickets/import-list.ts';
import { changeTicketRules } from '../services/tickets/rules.ts';
import { createSource, readSources, removeSource } from '../services/tickets/sources.ts';
import { allowHostsNow } from '../services/webhooks/allow-list.ts';
import type { Database } from '../store/sql/port.ts';
import { answer, CliError, type CommandInput, optionalChoice, optionalText, requiredText } from './io.ts';
import { asCliError, CLI_ACTOR, scopeOf, withDatabase } from './with-database.ts';

const depsOf = (db: Database) => ({
  db,
  clock: systemClock,
  ask: createAsk({
    policy: async () => ({
      allowHosts: await allowHostsNow(
        db,
        parseAllowHosts(process.env['GATEHOUSE_WEBHOOK_ALLOW_HOSTS']) ?? [],
      ),
      ownAddresses: new Set(),
      ownPorts: new Set<number>(),
    }),
  }),
});

export async function ticketsList(input: CommandInput): Promise<void> {
  const eventId = requiredText(input, 'event');
  const { items } = await asCliError(
    withDatabase(input, async (db) => readSources({ db }, await scopeOf(db, input), eventId)),
  );
  answer(input, items);
}

/** With `--rehearse`, says what would happen; otherwise imports. */
export async function ticketsImport(input: CommandInput): Promise<void> {
  const eventId = requiredText(input, 'event');
  const bytes = readFile(requiredText(input, 'file'));
  const encoding = optionalChoice(input, 'encoding', CSV_ENCODINGS);
  const sourceId = optionalText(input, 'list') ?? null;
  const isRehearsal = input.values['rehearse'] === true;
  const name = optionalText(input, 'name') ?? null;
  if (!isRehearsal && sourceId === null && name === null)
    throw new CliError('A new list needs --name. To replace one, name it with --list.');
  const { sample: _, ...said } = await asCliError(
    withDatabase(input, async (db) =>
      importList(depsOf(db), await scopeOf(db, input), {
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
    ),
  );
  answer(input, said);
}

/** Any code is let in once, and belongs to the first guest who came with it. */
export async function ticketsAny(input: CommandInput): Promise<void> {
  const eventId = requiredText(input, 'event');
  const request = { kind: 'any', name: requiredText(input, 'name') } as const;
  const made = await asCliError(
    withDatabase(input, async (db) =>
      createSource(depsOf(db), await scopeOf(db, input), { eventId, request, actor: CLI_ACTOR }),
    ),
  );
  answer(input, made);
}

/** Pairs with pretix; `tickets choose` then names its event and list. */
export const ticketsPretix = (input: CommandInput): Promise<void> =>
  connect(input, { kind: 'pretix', pairing: requiredText(input, 'pairing') });

export const ticketsHiEvents = (input: CommandInput): Promise<void> =>
  connect(input, { kind: 'hi_events', link: requiredText(input, 'link') });

async function connect(input: CommandInput, request: TicketSourceCreate): Promise<void> {
  const eventId = requiredText(input, 'event');
  const made = await asCliError(
    withDatabase(input, async (db) => {
      const scope = await scopeOf(db, input);
      const source = await createSource(depsOf(db), scope, { eventId, request, actor: CLI_ACTOR });
      return readNow(depsOf(db), scope, { eventId, sourceId: source.source_id });
    }),
  );
  answer(input, made);
}

/** Without both names, lists what there is to choose. */
export async function ticketsChoose(input: CommandInput): Promise<void> {
  const of = { eventId: requiredText(input, 'event'), sourceId: requiredText(input, 'source') };
  const event = optionalText(input, 'pretix-event');
  const list = Number(optionalText(input, 'pretix-list'));
  const said = await asCliError(
    withDatabase(input, async (db) => {
      const scope = await scopeOf(db, input);
      return event === undefined || !Number.isInteger(list)
        ? readChoices(depsOf(db), scope, { ...of, event })
        : choosePretix(depsOf(db), scope, { ...of, choice: { event, list }, actor: CLI_ACTOR });
    }),
  );
  answer(input, said);
}

/** For how long the event keeps names and codes after its end. */
export async function ticketsKeep(input: CommandInput): Promise<void> {
  const eventId = requiredText(input, 'event');
  const days = Number(requiredText(input, 'days'));
  if (!Number.isInteger(days) || days < 1 || days > MAX_KEEP_DAYS)
    throw new CliError(`--days is a whole number from 1 to ${MAX_KEEP_DAYS}.`);
  await asCliError(
    withDatabase(input, async (db) => {
      const change = { keep_days: days };
      await changeTicketRules(depsOf(db), await scopeOf(db, input), { eventId, change, actor: CLI_ACTOR });
    }),
  );
  answer(input, { keep_days: days });
}

export async function ticketsRemove(input: CommandInput): Promise<void> {
  const of = {
    eventId: requiredText(input, 'event'),
    sourceId: requiredText(input, 'source'),
    reason: requiredText(input, 'reason'),
    actor: CLI_ACTOR,
  } as const;
  await asCliError(withDatabase(input, async (db) => removeSource(depsOf(db), await scopeOf(db, input), of)));
  answer(input, { removed: of.sourceId });
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CliError(`--file can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
