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
  'webhooks_stopped',
  'webhooks_waiting',
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
  count: whole('Calls, receivers or codes concerned; for `time_ahead`, minutes.'),
  bytes: whole('Free space.'),
  place: Type.Union([Type.Null(), oneOf(['data', 'backups'])], { description: 'Which disk. Else null.' }),
  why: nullable('A code of the cause. Else null.'),
});
export type HealthCondition = Static<typeof HealthCondition>;

export const HealthState = Type.Object({
  conditions: Type.Array(HealthCondition, { description: 'Of this node, the most severe first.' }),
  last_backup_at: nullable('The last verified backup; null if there is none, or on PostgreSQL.'),
});
export type HealthState = Static<typeof HealthState>;
