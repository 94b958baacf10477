/** Parts of a page that are loaded after its first screen. */
import { type ComponentType, lazy } from 'react';
import { backoffMs, browserPause } from './retrying.ts';

/** Tries against a server that answers: by then the file is gone, as after an upgrade, or something blocks it. */
const MAX_MISSING_TRIES = 3;

let pending = 0;

/** The parts that are being loaded. An import on a cut wire can neither be given up nor repeated: only a reload helps. */
export const pendingParts = (): number => pending;

type PartTools = {
  /** Resolves after `ms`, or earlier if the network comes back. */
  pause: (ms: number) => Promise<void>;
  isServerThere: () => Promise<boolean>;
};

/**
 * Loads a part of the page, with growing pauses between tries and without limit while the server is away.
 * @param load imports the module
 * @throws the error of the import, if the server answers and the file still does not load
 */
export async function loadPart<Part>(load: () => Promise<Part>, tools: PartTools = inBrowser): Promise<Part> {
  let missing = 0;
  for (let failures = 1; ; failures += 1) {
    pending += 1;
    try {
      return await load().finally(() => (pending -= 1));
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
    return (await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

const inBrowser: PartTools = { pause: browserPause, isServerThere: serverAnswers };
