/** Access: first start, sign-in, the operator's own account. Paths are below `/console/api`. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Type, type Static } from 'typebox';
import { ROLES } from './common.ts';
import { nullable, oneOf } from '../schemas.ts';
import { PIN_PATTERN } from '../text-bounds.ts';
import { MAX_EVENT_NAME_CHARS } from './events.ts';
import { KioskWithCode } from './kiosks.ts';
import { MAX_PHRASE_CHARS } from './settings.ts';

export const MIN_PASSPHRASE_CHARS = 12;
export const MAX_PASSPHRASE_CHARS = 200;
/** Of a second factor: a recovery code with its hyphens and some spaces. */
export const MAX_CODE_CHARS = 40;
export const MAX_OPERATOR_NAME_CHARS = 80;
export const MAX_FILTER_NAME_CHARS = 80;

export const OperatorName = Type.String({ minLength: 1, maxLength: MAX_OPERATOR_NAME_CHARS });
/** Limits only the length. The server explains what makes a passphrase too weak (`weak_passphrase`). */
export const Passphrase = Type.String({ minLength: 1, maxLength: MAX_PASSPHRASE_CHARS });

/** `GET /setup`, public. */
export const SetupState = Type.Object({
  needed: Type.Boolean({ description: 'No admin exists yet.' }),
  code_required: Type.Boolean({
    description: 'The request comes from another machine, so the server’s one-time code is required.',
  }),
  company_name: nullable('Name of an existing company, which will be adopted.'),
  recovery: Type.Boolean({
    description: 'The desktop app was started with `--recover`, and the request comes from this machine.',
  }),
  single_sign_on: nullable('Name of the identity provider; null if operators can’t sign in with one.'),
  passkeys: Type.Boolean({
    description: 'An operator can sign in with a passkey under the name of this call.',
  }),
});
export type SetupState = Static<typeof SetupState>;

const Phrase = Type.String({ maxLength: MAX_PHRASE_CHARS, description: 'The 24 newest words.' });
/** `POST /setup/recovery/admins`, public, while recovery is open. */
export const RecoveryProof = Type.Object({ phrase: Phrase });
export const RecoverableAdmins = Type.Object({
  admins: Type.Array(
    Type.Object({ operator_id: Type.String(), name: Type.String(), has_second_factor: Type.Boolean() }),
  ),
});
export type RecoverableAdmins = Static<typeof RecoverableAdmins>;
/** `POST /setup/recovery`: sets a new passphrase and closes the recovery. */
export const RecoveryRequest = Type.Object({
  phrase: Phrase,
  operator_id: Type.String({ maxLength: 64 }),
  passphrase: Passphrase,
  remove_second_factor: Type.Boolean(),
});
export type RecoveryRequest = Static<typeof RecoveryRequest>;

/** `POST /setup`, public, works once. Signs the new admin in. */
export const SetupRequest = Type.Object({
  name: OperatorName,
  passphrase: Passphrase,
  company_name: Type.String({ minLength: 1, maxLength: 120 }),
  setup_code: Type.Optional(Type.String({ maxLength: 64 })),
  zone: Type.Optional(
    Type.String({ maxLength: 64, description: 'Time zone of the venue; ignored if unknown.' }),
  ),
  event: Type.Optional(
    Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: MAX_EVENT_NAME_CHARS }),
        ends_at: Type.String({ minLength: 10, maxLength: 40, description: 'ISO 8601.' }),
      },
      { description: 'Creates a first event that starts now, with one entry per person and one kiosk.' },
    ),
  ),
});
export type SetupRequest = Static<typeof SetupRequest>;

const Operator = Type.Object({
  operator_id: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
});

/** `GET /me`, and the answer to signing in. Times are ISO 8601. */
export const Me = Type.Object({
  operator: Operator,
  csrf_token: Type.String({ description: 'Send it in the `X-CSRF-Token` header of every call except GET.' }),
  has_pin: Type.Boolean(),
  is_limited: Type.Boolean({
    description:
      'Restricted to some companies. Calls about the whole installation answer `installation_wide`.',
  }),
  second_factor: Type.Object({
    is_on: Type.Boolean(),
    is_required: Type.Boolean({
      description: 'Until it is set up, every other call returns `second_factor_required`.',
    }),
  }),
  session_id: Type.String(),
  idle_timeout_s: Type.Integer(),
  idle_at: Type.String({ description: 'When the session ends without activity.' }),
  ends_at: Type.String({ description: 'When the session ends at the latest.' }),
});
export type Me = Static<typeof Me>;

/** `POST /setup/company`: an admin of an installation without a company. */
export const FirstCompanyRequest = Type.Object({
  company_name: SetupRequest.properties.company_name,
  zone: SetupRequest.properties.zone,
});
export type FirstCompanyRequest = Static<typeof FirstCompanyRequest>;

export const SetupResponse = Type.Object({
  me: Me,
  company_id: Type.String(),
  default_verification_id: Type.String(),
  adopted: Type.Boolean({ description: 'The company already existed; its keys still work.' }),
  kiosk: Type.Unsafe<KioskWithCode | null>({
    ...KioskWithCode,
    type: ['object', 'null'],
    description: 'Kiosk of the first event, not yet paired; null without one.',
  }),
});
export type SetupResponse = Static<typeof SetupResponse>;

/**
 * `POST /sign-in`, public. Passphrase and code are sent together: the server stores nothing between the page's two
 * steps.
 */
export const SignInRequest = Type.Object({
  name: OperatorName,
  passphrase: Passphrase,
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CODE_CHARS,
      description:
        'Code of the authenticator app, or a recovery code. Without it an operator who has a second factor gets `code_required`.',
    }),
  ),
});

/** `PUT /me/passphrase`; ends the operator's other sessions. */
export const PassphraseChange = Type.Object({ current: Passphrase, next: Passphrase });
export type PassphraseChange = Static<typeof PassphraseChange>;

/** `PUT /me/pin`; `DELETE /me/pin` removes it. Unlocks a kiosk; never used to sign in. */
export const PinChange = Type.Object({ passphrase: Passphrase, pin: Type.String({ pattern: PIN_PATTERN }) });
export type PinChange = Static<typeof PinChange>;

/** `GET /me/second-factor`. */
export const SecondFactorState = Type.Object({
  is_on: Type.Boolean(),
  is_required: Type.Boolean(),
  enrolled_at: nullable(),
  recovery_codes_left: Type.Integer(),
});
export type SecondFactorState = Static<typeof SecondFactorState>;

/** `POST /me/second-factor`, `DELETE /me/second-factor` and `POST /me/recovery-codes`. */
export const PassphraseConfirmation = Type.Object({ passphrase: Passphrase });

/** Reply of `POST /me/second-factor`. */
export const SecondFactorEnrolment = Type.Object({
  secret: Type.String({ description: 'Base32, for typing it into an authenticator app.' }),
  uri: Type.String({ description: '`otpauth://` address, for the QR code.' }),
});
export type SecondFactorEnrolment = Static<typeof SecondFactorEnrolment>;

/** `POST /me/second-factor/confirm`: the first code of the enrolled app. */
export const SecondFactorConfirmation = Type.Object({
  code: Type.String({ minLength: 1, maxLength: MAX_CODE_CHARS }),
});

export const RecoveryCodes = Type.Object({
  codes: Type.Array(Type.String(), { description: 'Shown once; each works once.' }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const MAX_PASSKEY_NAME_CHARS = 60;
/** Far more than anyone carries. */
export const MAX_PASSKEYS = 10;

const PasskeyName = Type.String({ minLength: 1, maxLength: MAX_PASSKEY_NAME_CHARS });
/** What an authenticator says, base64url. */
const Said = Type.String({ minLength: 1, maxLength: 16_000 });

const Passkey = Type.Object({
  passkey_id: Type.String(),
  name: Type.String(),
  works_at: Type.String({ description: 'Name of the console under which it signs in.' }),
  created_at: Type.String(),
  last_used_at: nullable(),
});
/** `GET /me/passkeys`, and the reply to every change of them. */
export const Passkeys = Type.Object({
  items: Type.Array(Passkey),
  name_here: nullable(
    'Name of the console for passkeys in this browser; null if the page was opened by an IP address or without HTTPS.',
  ),
});
export type Passkeys = Static<typeof Passkeys>;

/** `POST /me/passkeys/begin`: options of WebAuthn, for five minutes and one answer. */
export const PasskeyCreation = Type.Object({
  options: Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
    type: 'object',
    additionalProperties: true,
    description: '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
  }),
});

/** `POST /me/passkeys`. */
export const NewPasskey = Type.Object({
  name: PasskeyName,
  id: Said,
  client_data: Said,
  attestation: Said,
});
export type NewPasskey = Static<typeof NewPasskey>;

/** `PATCH /me/passkeys/{passkey_id}`. */
export const PasskeyRename = Type.Object({ name: PasskeyName });

/** `POST /sign-in/passkey/begin`, public: options of WebAuthn, for five minutes and one answer. */
export const PasskeyQuestion = Type.Object({
  options: Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
    type: 'object',
    additionalProperties: true,
    description: '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
  }),
});

/** `POST /sign-in/passkey`, public. */
export const PasskeySignIn = Type.Object({
  id: Said,
  client_data: Said,
  authenticator_data: Said,
  signature: Said,
  user_handle: Type.String({ maxLength: 200 }),
});
export type PasskeySignIn = Static<typeof PasskeySignIn>;

/** `POST /sign-in/oidc/begin`, public. Also sets a cookie that only this browser has. */
export const OidcBegun = Type.Object({
  url: Type.String({ description: 'Sign-in page of the identity provider.' }),
});
/** `POST /sign-in/oidc`, public. */
export const OidcReturn = Type.Object({
  query: Type.String({
    maxLength: 8_000,
    description: 'Query string with which the identity provider sent the browser back to `/oidc`.',
  }),
});

/** Reply of `POST /sign-out`. */
export const SignedOut = Type.Object({
  ok: Type.Literal(true),
  provider_url: nullable('Where the identity provider of this session signs out, too.'),
});

/** One of `GET /me/sessions`; `DELETE /me/sessions/{session_id}` ends it, `POST /sign-out-everywhere` all. */
const OperatorSession = Type.Object({
  session_id: Type.String(),
  current: Type.Boolean(),
  address: Type.String(),
  device: Type.String(),
  created_at: Type.String(),
  last_seen_at: Type.String(),
  ends_at: Type.String(),
});
export const OperatorSessions = Type.Object({ items: Type.Array(OperatorSession) });
export type OperatorSessions = Static<typeof OperatorSessions>;

/** `GET /companies`: the companies that the operator may see. */
export const ConsoleCompany = Type.Object({
  company_id: Type.String(),
  name: Type.String(),
  daily_limit: Type.Integer(),
  created_at: Type.String(),
  zone: nullable('Time zone of the venue, by its IANA name; null for that of the operator’s computer.'),
  privacy_contact: nullable('Whom guests ask about their data.'),
  zone_version: Type.String({ description: '`version` for a change of the zone.' }),
  details_version: Type.String({ description: '`version` for a change of name and contact.' }),
  is_sample: Type.Boolean({ description: 'The company with sample data.' }),
});
export type ConsoleCompany = Static<typeof ConsoleCompany>;
export const ConsoleCompanies = Type.Object({ items: Type.Array(ConsoleCompany) });
export type ConsoleCompanies = Static<typeof ConsoleCompanies>;

/** `GET|POST /saved-filters`, `DELETE /saved-filters/{filter_id}`: the operator's own filters. */
export const SavedFilter = Type.Object({
  filter_id: Type.String(),
  page: Type.String(),
  name: Type.String(),
  query: Type.String({ description: 'Query string of the page.' }),
});
export type SavedFilter = Static<typeof SavedFilter>;
export const SavedFilters = Type.Object({ items: Type.Array(SavedFilter) });
export type SavedFilters = Static<typeof SavedFilters>;
export const SavedFilterRequest = Type.Object({
  page: Type.String({ minLength: 1, maxLength: 40 }),
  name: Type.String({ minLength: 1, maxLength: MAX_FILTER_NAME_CHARS }),
  query: Type.String({ maxLength: 2_000 }),
});
export type SavedFilterRequest = Static<typeof SavedFilterRequest>;
