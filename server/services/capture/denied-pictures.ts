/**
 * Pictures of guests who were just denied, in this process's memory alone: staff at the door may still ask a reviewer, who
 * then compares faces instead of reading a sentence. Nobody sees them unless staff ask, and then the case keeps them.
 */
import type { CaseFrame } from '../../store/reviews/case-frames.ts';

/** How long staff may take to ask. */
const KEPT_MS = 30 * 60_000;
/** The oldest give way: 64 guests with a few stills of about 100 kB each. */
const MAX_GUESTS = 64;

export type DeniedPictures = {
  keep: (sessionId: string, pictures: readonly CaseFrame[]) => void;
  /** Returns and forgets them; none if they were never here, or no longer are. */
  take: (sessionId: string) => readonly CaseFrame[];
};

export function createDeniedPictures(keptMs = KEPT_MS): DeniedPictures {
  const kept = new Map<string, { pictures: readonly CaseFrame[]; timer: NodeJS.Timeout }>();
  const take = (sessionId: string): readonly CaseFrame[] => {
    const found = kept.get(sessionId);
    if (!found) return [];
    clearTimeout(found.timer);
    kept.delete(sessionId);
    return found.pictures;
  };
  return {
    keep(sessionId, pictures) {
      if (pictures.length === 0) return;
      take(sessionId);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= MAX_GUESTS) take(oldest);
      const timer = setTimeout(() => kept.delete(sessionId), keptMs).unref();
      kept.set(sessionId, { pictures, timer });
    },
    take,
  };
}
