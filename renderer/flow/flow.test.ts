import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../server/contract/flow.ts';
import { createFlow, type Flow, type FlowCalls, type Start } from './flow.ts';
import type { FlowApi } from './flow-api.ts';
import { RequestError } from '../http/request-error.ts';
import { settledWith, snapshotWith } from './snapshots.fixture.ts';

const CAPTURE = snapshotWith({ step: 'capture' });

const PHONE: Start = {
  device: 'mobile',
  handoffCode: null,
  continuationCode: null,
  noCamera: false,
  handoff: null,
  reload: () => undefined,
};
const CONTINUATION = { url: 'https://c.example/#c=1', expires_at: '', lifeMs: 600_000 };
const PENDING = {
  branding: { organiser: 'Northside Festival', logo_url: null },
  is_test: false,
  tries_left: 3,
};
const OFFER = { url: 'https://c.example/#h=1', match_code: '42', expires_at: '', lifeMs: 600_000 };

const handed = (state: 'opened' | 'confirmed' | 'ended') =>
  snapshotWith({ handoff: { state, expires_at: '2026-01-01T00:10:00.000Z', match_code: null } });

let api: { [K in keyof FlowCalls]: ReturnType<typeof vi.fn<FlowCalls[K]>> };
let flow: Flow;
let followed: (snapshot: Snapshot) => void;
let followSignal: AbortSignal | null;

beforeEach(() => {
  followSignal = null;
  api = {
    open: vi.fn<FlowApi['open']>().mockResolvedValue(snapshotWith()),
    consent: vi.fn<FlowApi['consent']>().mockResolvedValue(CAPTURE),
    testCapture: vi.fn<FlowApi['testCapture']>().mockResolvedValue(settledWith('approved')),
    testReview: vi.fn<FlowApi['testReview']>().mockResolvedValue(settledWith('approved')),
    openHandoff: vi.fn<FlowApi['openHandoff']>(),
    openContinuation: vi.fn<FlowApi['openContinuation']>().mockResolvedValue(CAPTURE),
    offerContinuation: vi.fn<FlowApi['offerContinuation']>().mockResolvedValue(CONTINUATION),
    offerHandoff: vi.fn<FlowApi['offerHandoff']>().mockResolvedValue(OFFER),
    confirmHandoff: vi.fn<FlowApi['confirmHandoff']>().mockResolvedValue(handed('confirmed')),
    sendCode: vi.fn<FlowApi['sendCode']>().mockResolvedValue(snapshotWith({ step: 'phone' })),
    confirmCode: vi.fn<FlowApi['confirmCode']>().mockResolvedValue(CAPTURE),
    release: vi.fn<FlowApi['release']>(),
    decline: vi.fn<FlowApi['decline']>().mockResolvedValue(settledWith('declined')),
    snapshot: vi.fn<FlowApi['snapshot']>().mockResolvedValue(CAPTURE),
    follow: vi.fn<FlowApi['follow']>((onSnapshot, signal) => {
      followed = onSnapshot;
      followSignal = signal;
      return new Promise(() => undefined);
    }),
  };
  flow = createFlow(api, PHONE);
});

const reaches = (screen: string) => expect.poll(() => flow.state()).toMatchObject({ screen, busy: false });
const opened = async (snapshot: Snapshot, screen: string) => {
  api.open.mockResolvedValue(snapshot);
  flow.load();
  await reaches(screen);
};

test('opens, gets consent, captures, ends', async () => {
  await opened(snapshotWith(), 'consent');
  flow.accept('v1', 'en');
  await reaches('capture');
  flow.captured(settledWith('approved'));
  await reaches('result');
  expect(api.consent).toHaveBeenCalledWith('v1', 'en');
});

test('a second press during a call does nothing', async () => {
  await opened(snapshotWith(), 'consent');
  flow.accept('v1', 'en');
  flow.accept('v1', 'en');
  flow.decline();
  await reaches('capture');
  expect(api.consent).toHaveBeenCalledTimes(1);
  expect(api.decline).not.toHaveBeenCalled();
});

test('a refused link leads to its dead end', async () => {
  api.open.mockRejectedValue(new RequestError('session_claimed'));
  flow.load();
  await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'claimed' });
});

test('a page whose link was opened elsewhere since says so, and continues here if nobody has acted there', async () => {
  flow.load();
  await expect.poll(() => flow.state().screen).toBe('consent');
  api.consent.mockRejectedValueOnce(new RequestError('invalid_flow_token'));
  flow.accept('1', 'en');
  await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'moved' });
  flow.load();
  await expect.poll(() => flow.state()).toMatchObject({ screen: 'consent', busy: false });
});

test('after a failure of the server, loading again continues the run', async () => {
  api.open.mockRejectedValueOnce(new RequestError('server'));
  flow.load();
  await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'server' });
  await opened(snapshotWith(), 'consent');
});

describe('a failed attempt', () => {
  test('returns with its findings, and a new try starts without them', async () => {
    await opened(CAPTURE, 'capture');
    flow.captured(snapshotWith({ step: 'capture', findings: ['blurred'], attempts_left: 2 }));
    await reaches('retry');
    flow.again();
    expect(flow.state().screen).toBe('capture');
  });

  test('a capture that the server refused leads to another try', async () => {
    await opened(CAPTURE, 'capture');
    flow.captureRefused('message_invalid');
    await reaches('retry');
    expect(flow.state().interrupted).toBe(true);
  });

  test('a capture whose verdict was lost in transit shows the result', async () => {
    await opened(CAPTURE, 'capture');
    api.snapshot.mockResolvedValue(settledWith('approved'));
    flow.captureRefused('wrong_step');
    await reaches('result');
  });
});

test('a page whose consent text was replaced reloads, and shows nothing else until then', async () => {
  const reload = vi.fn();
  flow = createFlow(api, { ...PHONE, reload });
  await opened(snapshotWith(), 'consent');
  api.consent.mockRejectedValue(new RequestError('consent_replaced'));
  flow.accept('hosted-2026-11-22', 'en');
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  expect(flow.state()).toMatchObject({ screen: 'consent', busy: true });
  expect(api.snapshot).not.toHaveBeenCalled();
});

describe('test sessions', () => {
  test('a test face that fails leads back to the choice of faces', async () => {
    const choice = snapshotWith({ step: 'capture', is_test: true });
    await opened(choice, 'testChoice');
    api.testCapture.mockResolvedValue({ ...choice, findings: ['try_again'], attempts_left: 2 });
    flow.testFace('spoof');
    await reaches('retry');
    flow.again();
    expect(flow.state().screen).toBe('testChoice');
  });
});

describe('a run handed from a computer', () => {
  const scanned = async () => {
    flow = createFlow(api, { ...PHONE, handoffCode: 'h' });
    api.openHandoff.mockResolvedValue(PENDING);
    flow.load();
    await reaches('handoff');
  };

  test('asks for the number until it is right, then continues', async () => {
    await scanned();
    expect(api.open).not.toHaveBeenCalled();
    expect(flow.state()).toMatchObject({ snapshot: null, handoff: { ...PENDING, wrong: false } });
    flow.confirmHandoff('42');
    await reaches('consent');
    expect(api.confirmHandoff).toHaveBeenCalledWith('42');
  });

  test('says how many tries remain after a wrong number, and that three are the end', async () => {
    await scanned();
    const wrong = new RequestError('wrong_number', { facts: { tries_left: 2 } });
    api.confirmHandoff.mockRejectedValueOnce(wrong);
    flow.confirmHandoff('41');
    await expect
      .poll(() => flow.state())
      .toMatchObject({
        screen: 'handoff',
        busy: false,
        handoff: { wrong: true, tries_left: 2 },
      });
    api.confirmHandoff.mockRejectedValueOnce(new RequestError('handoff_ended'));
    flow.confirmHandoff('43');
    await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'handoff_ended' });
  });

  test('asks again after a reload', async () => {
    flow = createFlow(api, { ...PHONE, handoff: { ...PENDING, tries_left: 1 } });
    api.open.mockRejectedValue(new RequestError('handoff_unconfirmed'));
    flow.load();
    await reaches('handoff');
    expect(flow.state().handoff).toMatchObject({ tries_left: 1, wrong: false });
  });

  test('says that its code was replaced on the computer', async () => {
    await scanned();
    api.confirmHandoff.mockRejectedValue(new RequestError('invalid_flow_token'));
    flow.confirmHandoff('42');
    await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'handoff_expired' });
  });

  test.each(['handoff_used', 'handoff_expired'] as const)('says that its code is %s', async (code) => {
    flow = createFlow(api, { ...PHONE, handoffCode: 'h' });
    api.openHandoff.mockRejectedValue(new RequestError(code));
    flow.load();
    await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: code });
  });

  test('the computer requests one new code at a time', async () => {
    flow = createFlow(api, { ...PHONE, device: 'desktop' });
    await opened(handed('ended'), 'desktop');
    flow.offerHandoff();
    flow.offerHandoff();
    await expect.poll(() => flow.state().offer).toEqual(OFFER);
    expect(api.offerHandoff).toHaveBeenCalledTimes(1);
    flow.offerHandoff();
    expect(api.offerHandoff).toHaveBeenCalledTimes(2);
  });

  test('the computer keeps following the run while it shows a code', async () => {
    flow = createFlow(api, { ...PHONE, device: 'desktop' });
    await opened(snapshotWith(), 'desktop');
    flow.offerHandoff();
    await expect.poll(() => flow.state().offer).toEqual(OFFER);
    expect(followSignal?.aborted).toBe(false);
    followed(handed('opened'));
    expect(flow.state().offer).toEqual(OFFER);
    followed(handed('ended'));
    expect(flow.state()).toMatchObject({ screen: 'desktop', offer: null });
  });
});

describe('phone verification', () => {
  beforeEach(() => opened(snapshotWith({ step: 'phone' }), 'phone'));

  test('a right code continues', async () => {
    flow.sendCode('+15550100');
    await reaches('phone');
    flow.confirmCode('123456');
    await reaches('capture');
  });

  test('a wrong one is shown next to the field, and cleared with the next try', async () => {
    api.confirmCode.mockRejectedValueOnce(new RequestError('wrong_code', { facts: { tries_left: 4 } }));
    flow.confirmCode('000000');
    await expect
      .poll(() => flow.state())
      .toMatchObject({
        screen: 'phone',
        busy: false,
        phoneTrouble: { trouble: 'wrong_code', triesLeft: 4 },
      });
    flow.confirmCode('123456');
    expect(flow.state().phoneTrouble).toBeNull();
    await reaches('capture');
  });
});

test('a test run in review can be decided on the page', async () => {
  await opened(snapshotWith({ is_test: true, state: 'in_review', step: 'result' }), 'result');
  flow.testReview('approve');
  await expect.poll(() => flow.state().snapshot?.state).toBe('settled');
});

describe('looking again', () => {
  const WAITING = settledWith('pending', { state: 'in_review' });

  test('a decision is shown; until then the page stays as it is', async () => {
    await opened(WAITING, 'result');
    const before = flow.state();
    api.snapshot.mockResolvedValue({ ...WAITING });
    await flow.lookAgain();
    expect(flow.state()).toBe(before);
    api.snapshot.mockResolvedValue(settledWith('approved'));
    await flow.lookAgain();
    expect(flow.state().snapshot?.state).toBe('settled');
  });

  test('a decision that the stream announces is shown; until then the page stays as it is', async () => {
    await opened(WAITING, 'result');
    const before = flow.state();
    const stop = new AbortController();
    void flow.followDecision(stop.signal);
    followed({ ...WAITING });
    expect(flow.state()).toBe(before);
    followed(settledWith('approved'));
    expect(flow.state().snapshot?.state).toBe('settled');
  });

  test('a late reply does not replace a newer one', async () => {
    await opened(WAITING, 'result');
    const { promise, resolve } = Promise.withResolvers<Snapshot>();
    api.snapshot.mockReturnValue(promise);
    const looked = flow.lookAgain();
    flow.testReview('approve');
    await expect.poll(() => flow.state().snapshot?.state).toBe('settled');
    const decided = flow.state();
    resolve(CAPTURE);
    await looked;
    expect(flow.state()).toBe(decided);
  });

  test('a server that fails leaves the screen; a run that moved elsewhere does not', async () => {
    await opened(WAITING, 'result');
    api.snapshot.mockRejectedValue(new RequestError('engine_failed'));
    await flow.lookAgain();
    expect(flow.state().screen).toBe('result');
    api.snapshot.mockRejectedValue(new RequestError('session_continued'));
    await flow.lookAgain();
    expect(flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'continued' });
  });

  test('a settled run is final, and its token is forgotten: nothing is asked', async () => {
    await opened(settledWith('approved'), 'result');
    await flow.lookAgain();
    expect(api.snapshot).not.toHaveBeenCalled();
  });
});

describe('following', () => {
  test('a run that is being checked is followed until it ends', async () => {
    await opened(snapshotWith({ step: 'capture', state: 'checking' }), 'checking');
    followed(settledWith('approved'));
    expect(flow.state().screen).toBe('result');
    expect(followSignal?.aborted).toBe(true);
  });

  test('a computer follows what the phone does', async () => {
    flow = createFlow(api, { ...PHONE, device: 'desktop' });
    await opened(snapshotWith(), 'desktop');
    followed(CAPTURE);
    expect(flow.state().screen).toBe('desktop');
    followed(settledWith('approved'));
    expect(flow.state().screen).toBe('result');
  });

  test('a screen with input is not followed', async () => {
    await opened(snapshotWith(), 'consent');
    expect(api.follow).not.toHaveBeenCalled();
  });
});

describe('a run that moves to another browser', () => {
  test('is taken by the code of the link', async () => {
    flow = createFlow(api, { ...PHONE, continuationCode: 'c1' });
    flow.load();
    await expect.poll(() => flow.state().screen).toBe('capture');
    expect(api.openContinuation).toHaveBeenCalledWith('c1', 'mobile');
    expect(api.open).not.toHaveBeenCalled();
  });

  test('is reported to the browser that it left', async () => {
    flow = createFlow(api, { ...PHONE, noCamera: true });
    api.follow.mockRejectedValue(new RequestError('session_continued'));
    flow.load();
    await expect.poll(() => flow.state()).toMatchObject({ screen: 'dead', deadEnd: 'continued' });
  });
});
