/** Which origins may embed the run of a hosted link (decisions §6, "Who may embed"). */
import type { RunLink } from '../../contract/hosted-link.ts';
import { type AllowedEmbedders, allowedEmbedders } from '../../domain/runs/embedding.ts';
import type { Scope } from '../../domain/scope.ts';
import { findInviteByCode } from '../../store/runs/invites.ts';
import { findKeyKind } from '../../store/keys/keys.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findSession } from '../../store/runs/sessions.ts';
import type { SessionRequest } from '../../domain/runs/session-request.ts';
import { findVerification, findVerificationAnywhere } from '../../store/companies/verifications.ts';
import { sha256 } from '../ports/ids.ts';
import { partitionOfLink } from './verification-link.ts';

/** A link without a run has nothing to protect: its page, which says so, may be shown anywhere. */
export async function embeddersOf(db: SqlReader, link: RunLink): Promise<AllowedEmbedders> {
  switch (link.kind) {
    case 'session': {
      const session = await findSession(db, link.id);
      return session ? embeddersOfRun(db, session) : 'any';
    }
    case 'invite': {
      const invite = await findInviteByCode(db, sha256(link.id));
      return invite ? embeddersOfRun(db, invite) : 'any';
    }
    case 'verification': {
      const verification = await findVerificationAnywhere(db, link.id.toLowerCase());
      if (!verification) return 'any';
      return allowedEmbedders({ partition: partitionOfLink(verification), request: null, verification });
    }
  }
}

type Run = { scope: Scope; verificationId: string; keyId: string | null; request: SessionRequest };

async function embeddersOfRun(db: SqlReader, run: Run): Promise<AllowedEmbedders> {
  const { scope, keyId, request } = run;
  const verification = await findVerification(db, scope.companyId, run.verificationId);
  const kind = keyId === null ? undefined : await findKeyKind(db, scope.companyId, keyId);
  return allowedEmbedders({
    partition: scope.partition,
    // Anyone can read a publishable key and name an origin with it.
    request: kind === 'sk' || kind === 'ak' ? request : null,
    verification: verification ?? { redirectUrl: null, origin: null, embedOrigins: [] },
  });
}
