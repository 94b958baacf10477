/**
 * A fake flow API whose answers depend on the session's ID, so that every screen of the hosted page can be shown
 * without creating its situation on a real server. Only for screenshots; tests use the real server.
 */
import type { ServerMessage } from '../../server/contract/capture.ts';
import {
  LIVENESS_STEPS,
  type FlowError,
  type LivenessStep,
  type PersonFinding,
  type PhoneState,
  type Presentation,
  type Snapshot,
} from '../../server/contract/flow.ts';

type FakeReply = { status: number; body: object; headers?: Record<string, string> };

/** A session that stays on one screen, or a refusal of `open`. */
type Scenario = {
  snapshot?: Partial<Snapshot>;
  refuse?: FlowError;
  status?: number;
  steps?: readonly LivenessStep[];
  /** They were asked for before. */
  isAgain?: true;
};

const ended = (presented: Presentation, returns: boolean): Partial<Snapshot> => ({
  state: presented === 'pending' ? 'in_review' : 'settled',
  step: 'result',
  result: {
    verified: presented === 'approved' || presented === 'flagged',
    presented,
    return_url: returns ? 'https://tickets.example/return?vyt=abc&vyc=1' : null,
    requested_url: null,
    vyt: 'abc',
    vyc: presented === 'approved' ? 1 : 0,
  },
});
const failed = (attemptsLeft: number, ...findings: PersonFinding[]): Scenario => ({
  snapshot: { step: 'capture', findings, attempts_left: attemptsLeft },
});
const result = (presented: Presentation, returns: boolean): Scenario => ({
  snapshot: ended(presented, returns),
});

const CODE_LIFE_MS = 300_000;
const handoff = (state: 'opened' | 'confirmed' | 'ended'): Partial<Snapshot> => ({
  handoff: {
    state,
    expires_at: new Date(Date.now() + CODE_LIFE_MS).toISOString(),
    match_code: state === 'opened' ? '42' : null,
  },
});
const phone = (change: Partial<PhoneState>): Scenario => ({
  snapshot: {
    step: 'phone',
    phone: {
      locked: false,
      hint: null,
      code_sent_at: null,
      resend_at: null,
      resend_in_ms: 0,
      tries_left: 5,
      ...change,
    },
  },
});
const sentCode = (): Partial<PhoneState> => ({
  hint: '+49••••••••89',
  code_sent_at: new Date().toISOString(),
  resend_at: new Date(Date.now() + 30_000).toISOString(),
  resend_in_ms: 30_000,
});

/** Its link leads to this computer alone. */
const LOOPBACK = 'desktop-loopback';

const SCENARIOS: Record<string, Scenario> = {
  consent: {},
  [LOOPBACK]: {},
  'consent-photo': { snapshot: { photo_until: '2030-06-30T23:00:00.000Z' } },
  'consent-event': { snapshot: { faces_days: 1 } },
  'consent-ticket': { snapshot: { faces_days: 1, faces_sealed: true } },
  'consent-event-photo': { snapshot: { faces_days: 2, photo_until: '2030-06-30T23:00:00.000Z' } },
  'consent-test': { snapshot: { is_test: true } },
  'consent-long-name': {
    snapshot: {
      branding: {
        organiser: 'Internationale Musikfestspiele und Kulturtage Oberbayern-Schwaben gGmbH',
        logo_url: null,
      },
    },
  },
  'test-faces': { snapshot: { is_test: true, step: 'capture' } },
  capture: { snapshot: { step: 'capture' }, steps: ['turn_left', 'blink', 'smile'] },
  'capture-all': { snapshot: { step: 'capture' }, steps: LIVENESS_STEPS },
  'capture-again': { snapshot: { step: 'capture' }, steps: ['turn_left'], isAgain: true },
  checking: { snapshot: { state: 'checking', step: 'capture' } },
  'retry-dark': failed(2, 'too_dark'),
  'retry-many': failed(2, 'step_missed', 'blurred', 'too_far'),
  'retry-last': failed(1, 'try_again'),
  phone: phone({}),
  'phone-locked': phone({ locked: true, hint: '+49••••••••89' }),
  'phone-code': phone(sentCode()),
  'handoff-number': {},
  'desktop-ended': { snapshot: handoff('ended') },
  'desktop-opened': { snapshot: handoff('opened') },
  'desktop-following': { snapshot: { ...handoff('confirmed'), step: 'capture' } },
  'pending-test': { snapshot: { ...ended('pending', false), is_test: true } },
  'invite-revoked': { refuse: 'invite_revoked', status: 410 },
  'invite-redeemed': { refuse: 'invite_redeemed', status: 409 },
  'handoff-used': { refuse: 'handoff_used', status: 409 },
  'handoff-expired': { refuse: 'handoff_expired', status: 410 },
  approved: result('approved', true),
  'approved-stay': result('flagged', false),
  denied: result('denied', true),
  declined: result('declined', false),
  pending: result('pending', true),
  'approved-on-phone': { snapshot: { ...ended('approved', true), ...handoff('confirmed') } },
  'phone-read-out': phone({ ...sentCode(), read_out: true }),
  expired: { refuse: 'session_expired', status: 410 },
  unknown: { refuse: 'not found', status: 404 },
  claimed: { refuse: 'session_claimed', status: 409 },
  settled: { refuse: 'session_settled', status: 409 },
  cancelled: { refuse: 'session_cancelled', status: 409 },
  'server-error': { refuse: 'engine_failed', status: 400 },
  busy: { refuse: 'engine_busy', status: 503 },
  maintenance: { status: 503 },
};

export type FlowFake = (method: string, sessionId: string, action: string, body: string) => FakeReply;

const STILLS_PER_STEP = 2;
const WELCOME: ServerMessage = {
  type: 'welcome',
  resume_key: 'r'.repeat(16),
  resumed: false,
  next_seq: 0,
  resume_within_ms: 20_000,
  ends_in_ms: 120_000,
};

/** The steps in order, over POSTs, because this server opens no WebSocket. Null after the last. */
function requestOf({ steps = [], isAgain }: Scenario, done: number): ServerMessage | null {
  const step = steps[done];
  if (step === undefined) return null;
  const windowMs = { opens_in_ms: 0, closes_in_ms: 60_000 };
  const progress = { steps_done: done, steps_expected: steps.length };
  return {
    type: 'request',
    id: done + 1,
    ask: 'step',
    step,
    ...(isAgain && { again: true }),
    stills: STILLS_PER_STEP,
    ...windowMs,
    ...progress,
  };
}

/** Sessions change with the page's calls, as far as the screenshots need it. */
export function createFlowFake(): FlowFake {
  const changes = new Map<string, Partial<Snapshot>>();
  /** Stills received so far. */
  const captures = new Map<string, number>();
  return (method, sessionId, action, body) => {
    const scenario = SCENARIOS[sessionId] ?? { refuse: 'not found', status: 404 };
    const change = (to: Partial<Snapshot>) => changes.set(sessionId, { ...changes.get(sessionId), ...to });
    if (scenario.status !== undefined) {
      const detail = scenario.refuse ?? 'Service temporarily unavailable.';
      return {
        status: scenario.status,
        body: { detail },
        ...(scenario.status >= 429 && { headers: { 'retry-after': '5' } }),
      };
    }
    if (method === 'POST' && action === 'consent') change({ step: 'capture' });
    if (method === 'POST' && action === 'decline') change(ended('declined', false));
    if (method === 'POST' && action === 'test-capture') change(ended('approved', true));
    if (action === 'handoff/open') {
      const { branding, is_test } = snapshotOf(sessionId, scenario);
      return { status: 200, body: { flow_token: 'token', branding, is_test, tries_left: 3 } };
    }
    if (action === 'handoff/confirm') {
      const isLast = (JSON.parse(body) as { number: string }).number === '99';
      const refusal = isLast ? { detail: 'handoff_ended' } : { detail: 'wrong_number', tries_left: 2 };
      return { status: isLast ? 410 : 400, body: refusal };
    }
    if (action === 'phone/confirm') return { status: 400, body: { detail: 'wrong_code', tries_left: 4 } };
    if (action === 'handoff') {
      const host = sessionId === LOOPBACK ? 'http://127.0.0.1:4180' : 'https://verify.example.org';
      const url = `${host}/verification?vys=${'s'.repeat(22)}#h=${'h'.repeat(22)}`;
      const expiresAt = new Date(Date.now() + CODE_LIFE_MS).toISOString();
      return { status: 200, body: { url, match_code: '42', expires_at: expiresAt } };
    }
    if (action === 'capture/messages') {
      const begins = body.includes('"hello"');
      if (!begins && !body.includes('"still"')) return { status: 200, body: { messages: [] } };
      const stills = begins ? 0 : (captures.get(sessionId) ?? 0) + 1;
      captures.set(sessionId, stills);
      const messages = begins ? [WELCOME] : [];
      if (stills % STILLS_PER_STEP !== 0) return { status: 200, body: { messages } };
      const request = requestOf(scenario, stills / STILLS_PER_STEP);
      if (request !== null) return { status: 200, body: { messages: [...messages, request] } };
      change(ended('approved', true));
      const snapshot = { ...snapshotOf(sessionId, scenario), ...changes.get(sessionId) };
      return { status: 200, body: { messages: [...messages, { type: 'verdict', snapshot }] } };
    }
    const snapshot = { ...snapshotOf(sessionId, scenario), ...changes.get(sessionId) };
    if (action !== 'open') return { status: 200, body: snapshot };
    return { status: 200, body: { flow_token: 'token', snapshot } };
  };
}

function snapshotOf(sessionId: string, { snapshot }: Scenario): Snapshot {
  return {
    session_id: sessionId,
    state: 'open',
    step: 'consent',
    is_test: false,
    branding: { organiser: 'Northside Festival', logo_url: null },
    attempts_left: 3,
    findings: [],
    auto_return: false,
    retention_days: 1095,
    phone: null,
    handoff: null,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    result: null,
    ...snapshot,
  };
}
