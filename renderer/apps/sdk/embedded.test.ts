import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runEmbedded, type EmbeddedCheck } from './embedded.ts';
import { GatehouseError } from './session.ts';

const SERVICE = 'https://verify.example';
const COMPLETE = { type: 'vy:complete', vyt: 't', vyc: '1', redirect_url: null };
const PASSED = { token: 't', vyt: 't', verified: true, vyc: '1' };
const NOTHING = { token: null, vyt: null, verified: false, vyc: null };
const RESUME_KEY = 'a'.repeat(32);

let listener: ((event: object) => void) | null;
const frameWindow = { postMessage: vi.fn() };
let loaded: () => void;
let isShown: boolean;
const offer = vi.fn();
const ready = vi.fn();
const resize = vi.fn();
const relabel = vi.fn();
const remove = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  listener = null;
  isShown = true;
  vi.stubGlobal('addEventListener', (_type: string, added: (event: object) => void) => (listener = added));
  vi.stubGlobal('removeEventListener', () => (listener = null));
});

function run(options: Partial<EmbeddedCheck> = {}) {
  const navigate = vi.fn();
  const {
    result: promise,
    close,
    isOpen,
  } = runEmbedded({
    serviceOrigin: SERVICE,
    resumeKey: RESUME_KEY,
    open: () => ({
      frame: {
        contentWindow: frameWindow,
        isConnected: true,
        addEventListener: (_type: string, added: () => void) => (loaded = added),
      } as unknown as HTMLIFrameElement,
      ready,
      resize,
      relabel,
      offer,
      isShown: () => isShown,
      remove,
    }),
    navigate,
    explain: async () => new GatehouseError('blocked', SERVICE),
    ...options,
  });
  // A frame that nobody closes is watched on.
  onTestFinished(close);
  return { promise, navigate, close, isOpen };
}
const hear = (data: unknown, origin = SERVICE, source: unknown = frameWindow) =>
  listener?.({ data, origin, source });

test('the result arrives at once, through the promise and the callback; the view closes when the person is done', async () => {
  const onComplete = vi.fn();
  const onClose = vi.fn();
  const { promise, navigate } = run({ onComplete, onClose });
  hear({ type: 'vy:resize', height: 700 });
  hear(COMPLETE);
  hear({ ...COMPLETE, vyt: 'second' });
  await expect(promise).resolves.toEqual(PASSED);
  expect(onComplete).toHaveBeenCalledExactlyOnceWith(PASSED);
  expect(resize).toHaveBeenCalledWith(700);
  expect(remove).not.toHaveBeenCalled();
  hear({ type: 'vy:close' });
  expect(remove).toHaveBeenCalledOnce();
  expect([onClose.mock.calls.length, navigate.mock.calls.length]).toEqual([0, 0]);
  expect(listener).toBeNull();
});

test('the resume key is sent to the frame, only for its own origin', () => {
  const { close } = run();
  hear({ type: 'vy:ready' }, 'https://evil.example');
  expect(frameWindow.postMessage).not.toHaveBeenCalled();
  hear({ type: 'vy:ready' });
  expect(ready).toHaveBeenCalledOnce();
  expect(frameWindow.postMessage).toHaveBeenCalledExactlyOnceWith(
    { type: 'vy:resume', key: RESUME_KEY },
    SERVICE,
  );
  close();
});

test('the text around the frame is in the language of the frame', () => {
  const { promise, close } = run();
  hear({ type: 'vy:language', language: 'de' });
  expect(relabel).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ close: 'Schließen' }));
  close();
  return expect(promise).resolves.toEqual(NOTHING);
});

test.each([
  ['another origin', () => hear(COMPLETE, 'https://evil.example')],
  ['another frame of the service', () => hear(COMPLETE, SERVICE, {})],
  ['no frame at all', () => hear(COMPLETE, SERVICE, null)],
  ['a message of another kind', () => hear({ ...COMPLETE, type: 'complete' })],
  ['a token that is none', () => hear({ ...COMPLETE, vyt: 7 })],
  ['a number for vyc', () => hear({ ...COMPLETE, vyc: 1 })],
])('a message is ignored from %s', async (_who, send) => {
  const onComplete = vi.fn();
  const { promise, close } = run({ onComplete });
  send();
  close();
  await expect(promise).resolves.toEqual(NOTHING);
  expect(onComplete).not.toHaveBeenCalled();
});

test('a dismissal resolves with nulls, calls onClose once, and stops listening', async () => {
  const onClose = vi.fn();
  const { promise, close } = run({ onClose });
  close();
  close();
  await expect(promise).resolves.toEqual(NOTHING);
  expect(onClose).toHaveBeenCalledOnce();
  expect(remove).toHaveBeenCalledOnce();
});

test.each([
  ['https://shop.example/done?vyt=t&vyc=1', 1],
  ['javascript:alert(1)', 0],
])('a session created for the address %s is followed %i times, after the view', async (redirect, times) => {
  const { promise, navigate } = run();
  hear({ ...COMPLETE, redirect_url: redirect });
  await promise;
  expect(navigate).not.toHaveBeenCalled();
  hear({ type: 'vy:close' });
  expect(navigate).toHaveBeenCalledTimes(times);
});

test('a frame that has loaded and stays silent is given up with a reason', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onClose = vi.fn();
  const { promise, isOpen } = run({ onClose });
  const refused = expect(promise).rejects.toMatchObject({ code: 'blocked', detail: SERVICE });
  loaded();
  await vi.advanceTimersByTimeAsync(4_000);
  await refused;
  expect([isOpen(), remove.mock.calls.length, onClose.mock.calls.length]).toEqual([false, 1, 0]);
  expect(listener).toBeNull();
});

test('a slow frame is waited for as long as the service answers', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const explain = vi.fn(async (_view: unknown, hasLoaded: boolean) =>
    hasLoaded ? new GatehouseError('blocked', SERVICE) : null,
  );
  const { promise, isOpen } = run({ explain });
  await vi.advanceTimersByTimeAsync(100_000);
  expect([explain.mock.calls.length, isOpen()]).toEqual([3, true]);
  hear({ type: 'vy:ready' });
  loaded();
  await vi.advanceTimersByTimeAsync(100_000);
  hear(COMPLETE);
  await expect(promise).resolves.toEqual(PASSED);
  expect(explain).toHaveBeenCalledTimes(3);
});

test('a page that may not embed the run is told so, and the frame stays to offer a tab', async () => {
  const { promise, isOpen, close } = run();
  hear({ type: 'vy:refused' });
  await expect(promise).rejects.toMatchObject({ code: 'refused', detail: 'embedding_not_allowed' });
  expect([isOpen(), remove.mock.calls.length]).toEqual([false, 0]);
  close();
  expect(remove).toHaveBeenCalledOnce();
});

test('a view that the page has removed is no longer open', () => {
  const { isOpen } = run();
  expect(isOpen()).toBe(true);
  isShown = false;
  expect(isOpen()).toBe(false);
});
