import type { PhoneState } from '../../contract/flow.ts';
import { CODE_TRIES, maskNumber, RESEND_AFTER_MS } from '../../domain/phone/code.ts';
import { findLatestCode } from '../../store/phone/codes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';

/** The number that the flow is locked to: that of a direct link, or the one that its backend seeded. */
export function lockedNumber({ request, lockedPhone }: Session): string | null {
  if (lockedPhone !== null) return lockedPhone;
  return request.identity?.provider === 'phone' ? request.identity.identifier : null;
}

/** The phone step as the page shows it. */
export async function phoneState(db: SqlReader, session: Session): Promise<PhoneState> {
  const last = await findLatestCode(db, session.scope, session.id);
  const number = last?.number ?? lockedNumber(session);
  return {
    locked: lockedNumber(session) !== null,
    hint: number === null ? null : maskNumber(number),
    code_sent_at: last ? new Date(last.sentAt).toISOString() : null,
    resend_at: last ? new Date(last.sentAt + RESEND_AFTER_MS).toISOString() : null,
    tries_left: last?.triesLeft ?? CODE_TRIES,
  };
}
