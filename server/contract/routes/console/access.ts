import {
  ConsoleCompanies,
  FirstCompanyRequest,
  Me,
  NewPasskey,
  OidcBegun,
  OidcReturn,
  OperatorSessions,
  PasskeyCreation,
  PasskeyQuestion,
  PasskeyRename,
  Passkeys,
  PasskeySignIn,
  PassphraseChange,
  PassphraseConfirmation,
  PinChange,
  RecoverableAdmins,
  RecoveryCodes,
  RecoveryProof,
  RecoveryRequest,
  SavedFilter,
  SavedFilterRequest,
  SavedFilters,
  SecondFactorConfirmation,
  SecondFactorEnrolment,
  SecondFactorState,
  SetupRequest,
  SetupResponse,
  SetupState,
  SignedOut,
  SignInRequest,
} from '../../console/access.ts';
import { Done } from '../../console/common.ts';
import { type ConsoleRoutes, OF_INSTALLATION, OF_OPERATOR } from '../route.ts';

const SMALL_BYTES = 8 * 1024;
/** Attestations contain certificates. */
const PASSKEY_BYTES = 64 * 1024;
const publicPost = { method: 'POST', role: 'public', bodyLimit: SMALL_BYTES } as const;
const ownSmall = { ...OF_OPERATOR, bodyLimit: SMALL_BYTES } as const;

export const setup = {
  read: {
    method: 'GET',
    path: '/setup',
    role: 'public',
    summary: 'Check whether the first admin has been created',
    reply: SetupState,
  },
  create: {
    ...publicPost,
    path: '/setup',
    summary: 'Create the first admin',
    body: SetupRequest,
    reply: SetupResponse,
  },
  createCompany: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/setup/company',
    summary: 'Create the company of an installation without one',
    body: FirstCompanyRequest,
    reply: Done,
    bodyLimit: SMALL_BYTES,
  },
  recoverableAdmins: {
    ...publicPost,
    path: '/setup/recovery/admins',
    summary: 'List the admins who may get a new passphrase with the recovery phrase',
    body: RecoveryProof,
    reply: RecoverableAdmins,
  },
  recover: {
    ...publicPost,
    path: '/setup/recovery',
    summary: 'Set a new passphrase of an admin with the recovery phrase',
    body: RecoveryRequest,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;

export const session = {
  signIn: {
    ...publicPost,
    path: '/sign-in',
    summary: 'Sign in',
    body: SignInRequest,
    reply: Me,
  },
  beginPasskey: {
    ...publicPost,
    path: '/sign-in/passkey/begin',
    summary: 'Start signing in with a passkey',
    reply: PasskeyQuestion,
  },
  signInWithPasskey: {
    ...publicPost,
    path: '/sign-in/passkey',
    summary: 'Sign in with a passkey',
    body: PasskeySignIn,
    reply: Me,
    bodyLimit: PASSKEY_BYTES,
  },
  beginOidc: {
    ...publicPost,
    path: '/sign-in/oidc/begin',
    summary: 'Start signing in at the identity provider',
    reply: OidcBegun,
  },
  signInWithOidc: {
    ...publicPost,
    path: '/sign-in/oidc',
    summary: 'Finish signing in at the identity provider',
    body: OidcReturn,
    reply: Me,
    bodyLimit: 2 * SMALL_BYTES,
  },
  me: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/me',
    background: true,
    withoutSecondFactor: true,
    summary: 'Read the signed-in operator and the CSRF token',
    reply: Me,
  },
  stay: {
    ...OF_OPERATOR,
    method: 'POST',
    path: '/me/stay',
    withoutSecondFactor: true,
    summary: 'Keep the session active',
    reply: Me,
  },
  signOut: {
    ...OF_OPERATOR,
    method: 'POST',
    path: '/sign-out',
    withoutSecondFactor: true,
    summary: 'End this session',
    reply: SignedOut,
  },
  signOutEverywhere: {
    ...OF_OPERATOR,
    method: 'POST',
    path: '/sign-out-everywhere',
    withoutSecondFactor: true,
    summary: 'End all sessions of the operator',
    reply: Done,
  },
  list: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/me/sessions',
    summary: 'List the operator’s sessions',
    reply: OperatorSessions,
  },
  end: {
    ...OF_OPERATOR,
    method: 'DELETE',
    path: '/me/sessions/:session_id',
    summary: 'End a session of the operator',
    reply: OperatorSessions,
  },
} as const satisfies ConsoleRoutes;

export const secondFactor = {
  read: {
    ...ownSmall,
    method: 'GET',
    path: '/me/second-factor',
    withoutSecondFactor: true,
    summary: 'Read the state of the operator’s second factor',
    reply: SecondFactorState,
  },
  begin: {
    ...ownSmall,
    method: 'POST',
    path: '/me/second-factor',
    withoutSecondFactor: true,
    summary: 'Start setting up an authenticator app',
    body: PassphraseConfirmation,
    reply: SecondFactorEnrolment,
  },
  confirm: {
    ...ownSmall,
    method: 'POST',
    path: '/me/second-factor/confirm',
    withoutSecondFactor: true,
    summary: 'Finish the setup with a first code; recovery codes are shown once',
    body: SecondFactorConfirmation,
    reply: RecoveryCodes,
  },
  remove: {
    ...ownSmall,
    method: 'DELETE',
    path: '/me/second-factor',
    withoutSecondFactor: true,
    summary: 'Remove the second factor',
    body: PassphraseConfirmation,
    reply: Done,
  },
  renewRecoveryCodes: {
    ...ownSmall,
    method: 'POST',
    path: '/me/recovery-codes',
    summary: 'New recovery codes; the old ones stop working',
    body: PassphraseConfirmation,
    reply: RecoveryCodes,
  },
} as const satisfies ConsoleRoutes;

export const passkeys = {
  list: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/me/passkeys',
    summary: 'List the operator’s passkeys',
    reply: Passkeys,
  },
  begin: {
    ...ownSmall,
    method: 'POST',
    path: '/me/passkeys/begin',
    summary: 'Start adding a passkey',
    body: PassphraseConfirmation,
    reply: PasskeyCreation,
  },
  add: {
    ...OF_OPERATOR,
    method: 'POST',
    path: '/me/passkeys',
    summary: 'Add a passkey',
    body: NewPasskey,
    reply: Passkeys,
    bodyLimit: PASSKEY_BYTES,
  },
  rename: {
    ...ownSmall,
    method: 'PATCH',
    path: '/me/passkeys/:passkey_id',
    summary: 'Rename a passkey',
    body: PasskeyRename,
    reply: Passkeys,
  },
  remove: {
    ...ownSmall,
    method: 'DELETE',
    path: '/me/passkeys/:passkey_id',
    summary: 'Remove a passkey',
    body: PassphraseConfirmation,
    reply: Passkeys,
  },
} as const satisfies ConsoleRoutes;

export const account = {
  changePassphrase: {
    ...ownSmall,
    method: 'PUT',
    path: '/me/passphrase',
    summary: 'Change the passphrase and end other sessions',
    body: PassphraseChange,
    reply: OperatorSessions,
  },
  changePin: {
    ...ownSmall,
    method: 'PUT',
    path: '/me/pin',
    summary: 'Set the kiosk PIN',
    body: PinChange,
    reply: Me,
  },
  removePin: {
    ...OF_OPERATOR,
    method: 'DELETE',
    path: '/me/pin',
    summary: 'Remove the kiosk PIN',
    reply: Me,
  },
} as const satisfies ConsoleRoutes;

export const savedFilters = {
  list: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/saved-filters',
    summary: 'List the operator’s saved filters',
    reply: SavedFilters,
  },
  create: {
    ...OF_OPERATOR,
    method: 'POST',
    path: '/saved-filters',
    summary: 'Save a filter under a name',
    body: SavedFilterRequest,
    reply: SavedFilter,
  },
  remove: {
    ...OF_OPERATOR,
    method: 'DELETE',
    path: '/saved-filters/:filter_id',
    summary: 'Delete a saved filter',
    reply: Done,
  },
} as const satisfies ConsoleRoutes;

export const companies = {
  list: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/companies',
    summary: 'List the companies that the operator may see',
    reply: ConsoleCompanies,
  },
} as const satisfies ConsoleRoutes;
