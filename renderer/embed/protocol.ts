/**
 * The messages between a hosted page in a frame and the page around it (decisions §6, "Embedded"). Both sides use this
 * file, so that they stay in sync. `vy:complete`, `vy:close` and `vy:resize` are the original service's; its SDK
 * ignores the others.
 */
export { EMBED_QUERY } from '../../server/contract/hosted-link.ts';

/** Fills the height of its frame, or is as high as its content. */
export type Display = 'drawer' | 'inline';

/** `"1"` when approved, else `"0"`. A string, as in an address: clients compare it with `"1"`. */
export type ResultCode = '1' | '0';

/** From the hosted page to the page around it. */
export type EmbedMessage =
  /** The run has a result. `redirect_url` is where the page must go now, if the run was created with one. */
  | { type: 'vy:complete'; vyt: string; vyc: ResultCode; redirect_url: string | null }
  /** The person closes the view, with or without a result. Without one, the run stays open. */
  | { type: 'vy:close' }
  /** The content's height in CSS pixels. */
  | { type: 'vy:resize'; height: number }
  /** The page is shown, has its own × and accepts messages. */
  | { type: 'vy:ready' }
  /** The page's language, now and whenever it changes. */
  | { type: 'vy:language'; language: string }
  /** The page around it may not embed this run. Says nothing about the run, so it is sent to any origin that asks with `vy_resume=1`. */
  | { type: 'vy:refused' };

/**
 * The answer to `vy:ready`, from an SDK that sets `vy_resume=1`: a secret that the SDK keeps for the run. With it, a
 * frame that is opened again can resume the run even if the browser blocks third-party storage.
 */
export type ResumeMessage = { type: 'vy:resume'; key: string };

const RESUME_KEY = /^[0-9a-f]{32}$/;

/** Parses a message of the page; null for anything else, since any window may post anything. */
export function readEmbedMessage(data: unknown): EmbedMessage | null {
  const { type, vyt, vyc, redirect_url, height, language } = fieldsOf(data);
  switch (type) {
    case 'vy:close':
    case 'vy:ready':
    case 'vy:refused':
      return { type };
    case 'vy:resize':
      return typeof height === 'number' && height > 0 && Number.isFinite(height) ? { type, height } : null;
    case 'vy:language':
      return typeof language === 'string' && language !== '' ? { type, language } : null;
    case 'vy:complete':
      return typeof vyt === 'string' && vyt !== '' && (vyc === '0' || vyc === '1')
        ? { type, vyt, vyc, redirect_url: typeof redirect_url === 'string' ? redirect_url : null }
        : null;
    default:
      return null;
  }
}

/** The key of a `vy:resume` message; null for anything else. */
export function readResumeKey(data: unknown): string | null {
  const { type, key } = fieldsOf(data);
  return type === 'vy:resume' && typeof key === 'string' && RESUME_KEY.test(key) ? key : null;
}

/** 128 bits from the system's CSPRNG, in the form of a resume key. */
export const newResumeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const fieldsOf = (data: unknown): Partial<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? { ...data } : {};

/** The URL in a text, or null. `URL.parse` does the same, but is missing before iOS 18 and Chrome 126. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
