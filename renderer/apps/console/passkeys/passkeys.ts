/** The browser's part of passkeys, loaded when somebody uses one. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { ConsoleErrorCode } from '../../../../server/contract/console/errors.ts';
import type { Me, Passkeys } from '../../../../server/contract/console/access.ts';
import { passkeys, session } from '../../../../server/contract/routes/console/access.ts';
import { RequestError } from '../../../http/request-error.ts';
import { call } from '../shared/client/api.ts';

/** Browsers don't tell a cancelled dialog from one that found nothing: the server's sentence covers both. */
const orRefuse = <T>(asking: Promise<T>, code: ConsoleErrorCode): Promise<T> =>
  asking.catch(() => {
    throw new RequestError(code, { status: 403 });
  });

/** @throws RequestError `passkey_refused`, `locked_out` */
export async function signInWithPasskey(): Promise<Me> {
  const { options } = await call(session.beginPasskey);
  const { id, response } = await orRefuse(startAuthentication({ optionsJSON: options }), 'passkey_refused');
  return call(session.signInWithPasskey, {
    body: {
      id,
      client_data: response.clientDataJSON,
      authenticator_data: response.authenticatorData,
      signature: response.signature,
      user_handle: response.userHandle ?? '',
    },
  });
}

/** @throws RequestError `wrong_passphrase`, `locked_out`, `passkey_not_added`, `too_many_passkeys` */
export async function addPasskey({
  name,
  passphrase,
}: {
  name: string;
  passphrase: string;
}): Promise<Passkeys> {
  const { options } = await call(passkeys.begin, { body: { passphrase } });
  const { id, response } = await orRefuse(startRegistration({ optionsJSON: options }), 'passkey_not_added');
  return call(passkeys.add, {
    body: { name, id, client_data: response.clientDataJSON, attestation: response.attestationObject },
  });
}
