/** Parts of a page that are loaded after its first screen. */
import { type ComponentType, lazy } from 'react';
import { backoffMs, browserPause } from './retrying.ts';

/** Tries against a server that answers: by then the file is gone, as after an upgrade, or something blocks it. */
const MAX_MISSING_TRIES = 3;

/** A part that takes longer while the server answers hangs on a wire that is dead. */
const HUNG_MS = 30_000;
/** How often that is looked at, and the limit once the wire was cut: the browser may keep several dead connections. */
const LOOK_EVERY_MS = 2_000;
/** How long the server may take to say that it is there, on any network that can carry a check. */
const ANSWER_WITHIN_MS = 2_500;

type PartTools = {
  /** Resolves after `ms`, or earlier if the network comes back. */
  pause: (ms: number) => Promise<void>;
  isServerThere: () => Promise<boolean>;
  reload: () => void;
};

let hungMs = HUNG_MS;

/** The wire was cut and is back: a part that does not arrive soon hangs, also one that is asked for later. */
export const expectHungParts = (): void => void (hungMs = LOOK_EVERY_MS);

/**
 * Loads a part of the page once. The page is reloaded if it hangs: an import on a dead wire can neither be given up nor
 * repeated.
 * @param unwanted aborts when the part is no longer awaited, and the page may be doing something else
 */
export function unlessHung<Part>(
  load: () => Promise<Part>,
  { isServerThere, reload }: PartTools = inBrowser,
  unwanted?: AbortSignal,
): Promise<Part> {
  let isAway = true;
  const watch = async () => {
    for (let waitedMs = LOOK_EVERY_MS; ; waitedMs += LOOK_EVERY_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const isHung = isAway && waitedMs >= hungMs && (await isServerThere());
      if (!isAway || unwanted?.aborted) return;
      if (isHung) {
        reload();
        return;
      }
    }
  };
  void watch();
  return load().finally(() => (isAway = false));
}

let ahead: Promise<unknown> = Promise.resolve();

/**
 * Loads a part before somebody needs it, one after the other: a browser keeps six connections to a server, and parts that
 * hang on a dead wire must not hold all of them, or no call gets through after the wire is back.
 */
export function loadAhead<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = ahead.then(load);
  ahead = part.catch(() => undefined);
  return part;
}

/**
 * Loads a part of the page, with growing pauses between tries and without limit while the server is away.
 * @param load imports the module
 * @throws the error of the import, if the server answers and the file still does not load
 */
export async function loadPart<Part>(load: () => Promise<Part>, tools: PartTools = inBrowser): Promise<Part> {
  let missing = 0;
  for (let failures = 1; ; failures += 1) {
    try {
      return await unlessHung(load, tools);
    } catch (error) {
      if (await tools.isServerThere()) missing += 1;
      if (missing === MAX_MISSING_TRIES) {
        // Firefox does not load a part again that a cut wire has cost.
        if (hungMs < HUNG_MS) tools.reload();
        throw error;
      }
      await tools.pause(backoffMs(failures));
    }
  }
}

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never;

/**
 * A component that is loaded, as a part of the page, when it is first shown.
 * @param name of its export
 * @param otherwise shown if it does not load; without it, the page has crashed then
 */
export const lazyPart = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  otherwise?: ComponentType<PropsOf<Module[Name]>>,
) =>
  lazy(async () => {
    try {
      return { default: (await loadPart(load))[name] as ComponentType<PropsOf<Module[Name]>> };
    } catch (error) {
      if (otherwise === undefined) throw error;
      return { default: otherwise };
    }
  });

/**
 * The headers of a small question's reply, or null. Chromium and Firefox keep connections without credentials apart from all
 * others, so it is answered though parts and files hang on each of those.
 */
export async function answerOf(
  send = fetch,
  credentials: RequestCredentials = 'omit',
  url = '/healthz',
): Promise<Response | null> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ANSWER_WITHIN_MS);
  const { signal } = limit;
  const question = { method: 'HEAD', cache: 'no-store', redirect: 'manual', credentials, signal } as const;
  const reply = await send(url, question).catch(() => null);
  clearTimeout(timer);
  return reply;
}

/** Whether the server can be reached. */
export const serverAnswers = async (): Promise<boolean> => (await answerOf())?.ok === true;

const inBrowser: PartTools = {
  pause: browserPause,
  isServerThere: serverAnswers,
  reload: () => location.reload(),
};
