/** Parts of a page that are loaded after its first screen. */
import { type ComponentType, lazy } from 'react';
import { backoffMs, browserPause } from './retrying.ts';

/** Tries against a server that answers: by then the file is gone, as after an upgrade, or something blocks it. */
const MAX_MISSING_TRIES = 3;

/** A part that takes longer while the server answers hangs on a wire that is dead. */
const HUNG_MS = 30_000;
/** The same once the wire was cut: the browser may keep several dead connections. */
const HUNG_AFTER_CUT_MS = 2_000;
/** How long the server may take to say that it is there. */
const ANSWER_WITHIN_MS = 5_000;

type PartTools = {
  /** Resolves after `ms`, or earlier if the network comes back. */
  pause: (ms: number) => Promise<void>;
  isServerThere: () => Promise<boolean>;
  reload: () => void;
};

let hungMs = HUNG_MS;
const restarts = new Set<() => void>();

/** The wire was cut and is back: a part that has not arrived soon, or that is loaded later, may hang. */
export function expectHungParts(): void {
  hungMs = HUNG_AFTER_CUT_MS;
  for (const restart of restarts) restart();
}

/** Reloads the page if the part hangs: an import on a dead wire can neither be given up nor repeated. */
function reloadIfHung({ isServerThere, reload }: PartTools): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const look = async () => {
    if (!(await isServerThere())) start();
    else if (restarts.has(start)) reload();
  };
  const start = () => {
    clearTimeout(timer);
    if (restarts.has(start)) timer = setTimeout(() => void look(), hungMs);
  };
  restarts.add(start);
  start();
  return () => {
    restarts.delete(start);
    clearTimeout(timer);
  };
}

/** Loads a part of the page once; the page is reloaded if it hangs. */
export function unlessHung<Part>(load: () => Promise<Part>, tools: PartTools = inBrowser): Promise<Part> {
  const arrived = reloadIfHung(tools);
  return load().finally(arrived);
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
      if (missing === MAX_MISSING_TRIES) throw error;
      await tools.pause(backoffMs(failures));
    }
  }
}

/**
 * A component that is loaded, as a part of the page, when it is first shown.
 * @param otherwise shown if it does not load; without it, the page has crashed then
 */
export const lazyPart = <Module, Props>(
  load: () => Promise<Module>,
  componentOf: (module: Module) => ComponentType<Props>,
  otherwise?: ComponentType<Props>,
) =>
  lazy(async () => {
    try {
      return { default: componentOf(await loadPart(load)) };
    } catch (error) {
      if (otherwise === undefined) throw error;
      return { default: otherwise };
    }
  });

/** Whether the server can be reached. */
export async function serverAnswers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return (await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

const inBrowser: PartTools = {
  pause: browserPause,
  isServerThere: serverAnswers,
  reload: () => location.reload(),
};
