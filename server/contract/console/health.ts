/** `GET /console/api/health`: the problems of the service, for every role (decisions §8.5). */
import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../schemas.ts';

export const SEVERITIES = ['critical', 'warning', 'notice'] as const;
export const CONDITION_CODES = [
  'storage_damaged',
  'storage_not_writable',
  'face_engine_unavailable',
  'log_damaged',
  'disk_full',
  'certificate_ended',
  'time_ahead',
  'retention_put_off',
  'backup_failed',
  'backup_old',
  'disk_low',
  'certificate_ending',
  'network_failed',
  'sms_failing',
  'kiosk_cameras',
  'audit_export_failing',
  'update_rolled_back',
  'webhooks_stopped',
  'webhooks_waiting',
  'update_waiting',
  'key_in_file',
] as const;
export type ConditionCode = (typeof CONDITION_CODES)[number];

const whole = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description: `${description} Else null.` });

export const HealthCondition = Type.Object({
  code: oneOf(CONDITION_CODES),
  severity: oneOf(SEVERITIES, {
    description: '`critical`: guests are affected now, or data was lost. `warning`: act today.',
  }),
  since: Type.String({ format: 'date-time' }),
  at: nullable(
    'Time of the last good backup, the end of a certificate, or the oldest waiting call. Else null.',
  ),
  count: whole('Calls, receivers, codes or kiosks concerned; for `time_ahead`, minutes.'),
  bytes: whole('Free space.'),
  place: Type.Union([Type.Null(), oneOf(['data', 'backups'])], { description: 'Which disk. Else null.' }),
  why: nullable('A code of the cause. Else null.'),
});
export type HealthCondition = Static<typeof HealthCondition>;

/** In the order in which they are shown. */
export const HEALTH_CHECKS = [
  'database',
  'faces',
  'disk',
  'clock',
  'clean_up',
  'backup',
  'network',
  'cameras',
  'webhooks',
  'codes',
  'audit_export',
  'update',
] as const;
export type HealthCheckName = (typeof HEALTH_CHECKS)[number];

export const HealthCheck = Type.Object({
  check: oneOf(HEALTH_CHECKS),
  severity: Type.Union([Type.Null(), oneOf(SEVERITIES)], {
    description: 'Of the worst condition that concerns it; null: well.',
  }),
  at: nullable('Time of the last good backup, or the end of the certificate. Else null.'),
  count: whole(
    'Kiosks that guests can use, calls that wait for long, or minutes the service’s time is ahead.',
  ),
  bytes: whole('Free space on the fuller disk.'),
});
export type HealthCheck = Static<typeof HealthCheck>;

export const HealthState = Type.Object({
  checks: Type.Array(HealthCheck, { description: 'All that is looked at here, also what is well.' }),
  conditions: Type.Array(HealthCondition, { description: 'Of this node, the most severe first.' }),
  last_backup_at: nullable('The last verified backup; null if there is none, or on PostgreSQL.'),
});
export type HealthState = Static<typeof HealthState>;
