/** Automatic clean-up that is put off until an admin confirms it (decisions §1.5). */
import { BackupFailure } from './settings.ts';
import { Type, type Static } from 'typebox';
import { oneOf } from '../schemas.ts';

const HOLD_REASONS = ['clock_ahead', 'clock_behind', 'many_faces'] as const;
const HOLD_STATES = ['waiting', 'confirmed', 'running'] as const;

const Hold = Type.Object({
  hold_id: Type.String(),
  reason: oneOf(HOLD_REASONS),
  state: oneOf(HOLD_STATES, { description: '`confirmed` until the backup is made, then `running`.' }),
  put_off_at: Type.String(),
  clock: Type.String({ description: 'Current time of the machine’s clock.' }),
  last_seen: Type.String({ description: 'The last saved time before the clock changed.' }),
  failure: BackupFailure,
  due: Type.Object(
    {
      faces: Type.Integer(),
      faces_total: Type.Integer({ description: 'Of all companies, live and test.' }),
      case_frames: Type.Integer(),
      guest_photos: Type.Integer(),
      abandoned_runs: Type.Integer({ description: 'Sessions whose personal data is removed.' }),
      test_runs: Type.Integer(),
      webhook_calls: Type.Integer(),
    },
    { description: 'Data that a clean-up at the machine’s current time would delete.' },
  ),
});
/** `GET /settings/clean-up` and `POST /settings/clean-up/confirm`, for admins. */
export const CleanUpSettings = Type.Object({ hold: Type.Union([Type.Null(), Hold]) });
export type CleanUpSettings = Static<typeof CleanUpSettings>;
export type CleanUpHold = Static<typeof Hold>;

/** `POST /settings/clean-up/confirm`: the hold that was shown. */
export const CleanUpConfirm = Type.Object({ hold_id: Type.String({ minLength: 1, maxLength: 64 }) });
