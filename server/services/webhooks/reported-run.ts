/** The run that a webhook call reports. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findReportedRun, findSettledRun, type WebhookCall } from '../../store/webhooks/calls.ts';
import type { WebhookBody } from './queue.ts';

/** What the bodies of v3 have in common here. */
type V3Body = { data: { session_id?: string | null; external_id?: string | null; external_ids?: string[] } };

export const bodyOf = ({ body }: Pick<WebhookCall, 'body'>): WebhookBody | V3Body =>
  JSON.parse(Buffer.from(body).toString('utf8')) as WebhookBody | V3Body;

/** Undefined if there is none, as for a test event, or none any more. */
export function reportedRun(
  db: SqlReader,
  scope: Scope,
  call: Pick<WebhookCall, 'body' | 'type' | 'createdAt'>,
): ReturnType<typeof findReportedRun> {
  const body = bodyOf(call);
  return 'data' in body
    ? findSettledRun(db, scope, body.data.session_id ?? '')
    : findReportedRun(db, scope, { userId: body.user_id, type: call.type, at: call.createdAt });
}
