import { beforeEach, expect, test, vi } from 'vitest';
import { runEmbedded, type EmbeddedCheck } from './embedded.ts';

const SERVICE = 'https://verify.example';
const COMPLETE = { type: 'vy:complete', vyt: 't', vyc: '1', redirect_url: null };
const PASSED = { token: 't', vyt: 't', verified: true, vyc: '1' };
const NOTHING = { token: null, vyt: null, verified: false, vyc: null };
const RESUME_KEY = 'a'.repeat(32);

let listener: ((event: object) => void) | null;
const frameWindow = { postMessage: vi.fn() };
const ready = vi.fn();
const resize = vi.fn();
const relabel = vi.fn();
const remove = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  listener = null;
  vi.stubGlobal('addEventListener', (_type: string, added: (event: object) => void) => (listener = added));
  vi.stubGlobal('removeEventListener', () => (listener = null));
});

function run(options: Partial<EmbeddedCheck> = {}) {
  const navigate = vi.fn();
  const { result: promise, close } = runEmbedded({
    serviceOrigin: SERVICE,
    resumeKey: RESUME_KEY,
    open: () => ({
      frame: { contentWindow: frameWindow } as unknown as HTMLIFrameElement,
      ready,
      resize,
      relabel,
      remove,
    }),
    navigate,
    ...options,
  });
  return { promise, navigate, close };
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
