/** The `t` of a v2 direct link (decisions §4.4 and §4.5). */
import { isTestNumber } from '../../domain/identity.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { recordProvenPhone, type Session } from '../../store/runs/sessions.ts';
import { checkDirectToken, type ConnectSigner } from '../connections/signer.ts';
import type { Ports } from '../ports.ts';
import { ServiceError } from '../errors.ts';

/**
 * Uses up the token. It verifies a test number in the test partition; a real number stays locked and is verified by
 * code ("skipping for real numbers is not available").
 * @throws ServiceError `link_used`; `not found` for a token that is not this session's
 */
export async function proveByLink(
  deps: Pick<Ports, 'clock'> & { connect: ConnectSigner },
  tx: SqlTx,
  session: Session,
  token: string,
): Promise<void> {
  switch (await checkDirectToken(deps, tx, session, { token, at: deps.clock.now() })) {
    case 'invalid':
      throw new ServiceError('not found');
    case 'used':
      throw new ServiceError('link_used');
    case 'accepted': {
      const { scope, id, lockedPhone } = session;
      const isProof = lockedPhone !== null && scope.partition === 'test' && isTestNumber(lockedPhone);
      if (isProof) await recordProvenPhone(tx, scope, id, lockedPhone);
    }
  }
}
