/**
 * What a hosted page inside an organiser's page and that page say to each other (decisions §6, "Embedded"): query
 * parameters going in, messages coming out. Both ends use this file, so that neither drifts.
 */

/** Fills the height of its frame, or is as high as its content. */
export const DISPLAYS = ['drawer', 'inline'] as const;
export type Display = (typeof DISPLAYS)[number];

export const EMBED_QUERY = {
  embed: 'vy_embed',
  origin: 'vy_origin',
  display: 'vy_display',
  email: 'vy_email',
  phone: 'vy_phone',
} as const;

export type EmbedMessage =
  /** The run has a result. `redirect_url` is where the page must go now, when the run was made with one. */
  | { type: 'vy:complete'; vyt: string; vyc: 0 | 1; redirect_url: string | null }
  /** The person is done with the view, with or without a result. */
  | { type: 'vy:close' }
  /** The content's height in CSS pixels. */
  | { type: 'vy:resize'; height: number }
  /** What the page speaks, now and whenever that changes: what stands around it speaks the same. */
  | { type: 'vy:language'; language: string };

/** A message's data as one of ours; null for anything else, since any window may post anything. */
export function readEmbedMessage(data: unknown): EmbedMessage | null {
  const { type, vyt, vyc, redirect_url, height, language } = fieldsOf(data);
  switch (type) {
    case 'vy:close':
      return { type };
    case 'vy:resize':
      return typeof height === 'number' && height > 0 && Number.isFinite(height) ? { type, height } : null;
    case 'vy:language':
      return typeof language === 'string' && language !== '' ? { type, language } : null;
    case 'vy:complete':
      return typeof vyt === 'string' && vyt !== '' && (vyc === 0 || vyc === 1)
        ? { type, vyt, vyc, redirect_url: typeof redirect_url === 'string' ? redirect_url : null }
        : null;
    default:
      return null;
  }
}

const fieldsOf = (data: unknown): Partial<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? { ...data } : {};
