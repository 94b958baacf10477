import type { Catalogues } from '../../../locales/types/index.ts';
import type { HealthCondition } from './health.ts';

type Words = Catalogues['health']['conditions'];

/** What a condition is, in a sentence. `sizeOf` and `timeOf` write bytes and times for the reader. */
export function conditionText(
  { code, at, count, bytes, place, why }: HealthCondition,
  words: Words,
  { sizeOf, timeOf }: { sizeOf: (bytes: number) => string; timeOf: (iso: string) => string },
): string {
  switch (code) {
    case 'disk_full':
    case 'disk_low':
      return words[code].what({ place: place ?? 'data', free: sizeOf(bytes ?? 0) });
    case 'certificate_ended':
    case 'certificate_ending':
      return words[code].what({ time: at === null ? '' : timeOf(at) });
    case 'retention_put_off':
    case 'update_rolled_back':
      return words[code].what({ why: why ?? '' });
    case 'time_ahead':
    case 'sms_failing':
    case 'kiosk_cameras':
    case 'webhooks_stopped':
    case 'webhooks_waiting':
      return words[code].what({ count: count ?? 0 });
    case 'storage_damaged':
    case 'storage_not_writable':
    case 'face_engine_unavailable':
    case 'log_damaged':
    case 'backup_failed':
    case 'backup_old':
    case 'network_failed':
    case 'audit_export_failing':
    case 'update_waiting':
    case 'key_in_file':
      return words[code].what;
  }
}
