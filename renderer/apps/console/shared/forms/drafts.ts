/**
 * What was typed and not saved, for as long as the tab lives: signing in again or loading the page again brings it back. Never
 * secrets; forms leave them out.
 */

const PREFIX = 'gatehouse.console.draft.';
/** Drafts of a tab; the oldest gives way. */
const MAX_DRAFTS = 30;
/** Longer texts are not kept: the storage of a tab is small. */
const MAX_DRAFT_CHARS = 65_536;

export type Draft = {
  /** The values with which the form was opened, and their version. */
  opened: object;
  version: string | null;
  values: object;
};

/** Of an operator: nobody else who signs in here reads it. */
export const draftKey = (operatorId: string, place: string, name: string): string =>
  `${PREFIX}${operatorId} ${place} ${name}`;

const keys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));

export function readDraft(key: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as (Draft & { at: number }) | null;
    return kept !== null && typeof kept.values === 'object' && typeof kept.opened === 'object' ? kept : null;
  } catch {
    return null;
  }
}

export function keepDraft(key: string, draft: Draft): void {
  const text = JSON.stringify({ ...draft, at: Date.now() });
  if (text.length > MAX_DRAFT_CHARS) {
    dropDraft(key);
    return;
  }
  while (keys().filter((other) => other !== key).length >= MAX_DRAFTS) dropOldest(key);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Full: the form itself still has the text.
    dropDraft(key);
  }
}

export const dropDraft = (key: string): void => sessionStorage.removeItem(key);

/** When the operator signs out. */
export const dropDrafts = (): void => keys().forEach(dropDraft);

/** When somebody signs in. */
export const dropDraftsOfOthers = (operatorId: string): void =>
  keys()
    .filter((key) => !key.startsWith(`${PREFIX}${operatorId} `))
    .forEach(dropDraft);

function dropOldest(except: string): void {
  const atOf = (key: string): number => {
    const { at } = (readDraft(key) ?? {}) as { at?: number };
    return at ?? 0;
  };
  const [oldest] = keys()
    .filter((key) => key !== except)
    .toSorted((a, b) => atOf(a) - atOf(b));
  if (oldest !== undefined) dropDraft(oldest);
}
