/** `/settings/updates`: a new version from a signed file, for admins. */
import { Type, type Static } from 'typebox';
import { nullable, oneOf } from '../schemas.ts';
import { Passphrase } from './access.ts';
import { UPDATE_PROBLEMS, type UpdateProblem } from './errors.ts';

export const MAX_UPDATE_PATH_CHARS = 1_000;
const UpdatePath = Type.String({
  minLength: 1,
  maxLength: MAX_UPDATE_PATH_CHARS,
  description: 'Full path of the file on the service’s machine.',
});
const Size = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** `POST /settings/updates/check`: changes nothing. */
export const UpdateCheck = Type.Object({ file: UpdatePath });

/** `POST /settings/updates/install`. */
export const UpdateInstall = Type.Object({
  file: UpdatePath,
  version: Type.String({ maxLength: 30, description: 'The version that was shown; another one is refused.' }),
  passphrase: Passphrase,
  database_is_saved: Type.Optional(
    Type.Boolean({ description: 'On PostgreSQL: there is a backup of the database. Default: false.' }),
  ),
});

/** A file that may be installed here. */
export const CheckedUpdate = Type.Object({
  file: Type.String(),
  version: Type.String(),
  channel: oneOf(['stable', 'preview']),
  created_at: Type.String({ format: 'date-time' }),
  bytes: Size('Of the new version, once it is unpacked.'),
  signed_by: Type.String({ description: 'ID of the supplier’s key.' }),
  changes_database: Type.Boolean(),
});
export type CheckedUpdate = Static<typeof CheckedUpdate>;

/** How far checking or installing is; `waiting`: for the checks of guests to end; `installing`: the system installs a package. */
export const UPDATE_STEPS = ['checking', 'unpacking', 'waiting', 'installing'] as const;

export const UpdateState = Type.Object({
  version: Type.String({ description: 'The version that answers.' }),
  updates_itself: Type.Boolean({
    description: 'False where a package or the source code was installed.',
  }),
  by_package: Type.Boolean({
    description:
      'The desktop app’s Debian package: the system asks its administrator, and the app is restarted by hand. If neither, this API installs nothing.',
  }),
  restarts_itself: Type.Boolean({ description: 'Whatever runs the service starts it again.' }),
  engine: oneOf(['sqlite', 'postgres']),
  newest_accepted: nullable('The newest version that was ever accepted on this data. Else null.'),
  working: Type.Union([
    Type.Null(),
    Type.Object({
      file: Type.String(),
      step: oneOf(UPDATE_STEPS),
      percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Of the file.' }),
      guests: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'For the step `waiting`.' }),
    }),
  ]),
  problem: Type.Unsafe<UpdateProblem | null>({
    type: ['string', 'null'],
    enum: [...UPDATE_PROBLEMS, null],
    description: 'Why the last file was not accepted; nothing was installed. Else null.',
  }),
  checked: Type.Union([Type.Null(), CheckedUpdate], { description: 'The file that was checked last.' }),
  last: Type.Union([
    Type.Null(),
    Type.Object({
      state: oneOf(['waiting', 'undone'], {
        description:
          '`waiting`: the next start tries it, or runs it if it is a package. `undone`: the version before runs.',
      }),
      version: Type.String(),
      at: Type.String({ format: 'date-time' }),
      why: nullable('A code of the cause, for `undone`. Else null.'),
      data_restored: Type.Boolean({ description: 'The backup made before was put back.' }),
      said: Type.String({ description: 'What the new version reported last.' }),
    }),
  ]),
});
export type UpdateState = Static<typeof UpdateState>;
