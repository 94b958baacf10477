/** Kiosks that stop reporting: no commit announces them. */
import { KIOSK_SILENT_AFTER_MS } from '../../contract/kiosk.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';

/** Announces each kiosk that has not reported to this node for `KIOSK_SILENT_AFTER_MS`, once. */
export function watchSilence(db: Pick<Database, 'announce'>) {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    heard({ id, companyId }: Pick<Kiosk, 'id' | 'companyId'>): void {
      clearTimeout(timers.get(id));
      const silent = () => {
        timers.delete(id);
        db.announce('venue', companyId);
      };
      timers.set(id, setTimeout(silent, KIOSK_SILENT_AFTER_MS).unref());
    },
    close(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
