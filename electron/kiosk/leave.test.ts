import { expect, test, vi } from 'vitest';
import { isPaired, mayLeave } from './leave.ts';

const proof = { operatorId: 'op_1', pin: '123456' };
const held = { origin: 'http://127.0.0.1:1', token: 'kt_device', proof };
const answering = (status: number) => vi.fn<typeof fetch>(async () => new Response('{}', { status }));

test.each([
  [200, 'left'],
  [403, 'wrong_pin'],
  [429, 'locked_out'],
  [401, 'refused'],
  [500, 'refused'],
] as const)('the server decides: %i is %s', async (status, answer) => {
  const send = answering(status);
  expect(await mayLeave(held, send)).toBe(answer);
  const [url, init] = send.mock.calls[0] ?? [];
  expect(url).toBe('http://127.0.0.1:1/kiosk/unlock');
  expect(init?.body).toBe(JSON.stringify({ operator_id: 'op_1', pin: '123456' }));
  expect(new Headers(init?.headers).get('x-kiosk-token')).toBe('kt_device');
});

test('without an answer from the server the kiosk stays held', async () => {
  const silent = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('fetch failed')));
  expect(await mayLeave(held, silent)).toBe('offline');
  expect(await mayLeave({ ...held, origin: null }, silent)).toBe('offline');
});

const people = (items: unknown, status = 200) =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify({ items }), { status }));

test('without a proof it is released only if the server says that the device is not paired', async () => {
  expect(await mayLeave({ ...held, proof: null }, people([{ operator_id: 'op_1' }]))).toBe('refused');
  expect(await mayLeave({ ...held, proof: null }, answering(401))).toBe('left');
  expect(await mayLeave({ ...held, proof: null }, answering(500))).toBe('refused');
});

test('without any PIN everybody may leave, if the server says so', async () => {
  const send = people([]);
  expect(await mayLeave({ ...held, proof: null }, send)).toBe('left');
  expect(send.mock.calls[0]?.[0]).toBe('http://127.0.0.1:1/kiosk/staff');
  expect(await mayLeave({ ...held, proof: null }, answering(200))).toBe('refused');
  expect(await mayLeave({ ...held, proof: null }, people('none'))).toBe('refused');
  expect(await mayLeave({ ...held, proof: null }, people([], 503))).toBe('refused');
});

test('a token counts only once the server knows it', async () => {
  const device = { origin: held.origin, token: 'kt_other' };
  const send = answering(200);
  expect(await isPaired(device, send)).toBe(true);
  expect(new Headers(send.mock.calls[0]?.[1]?.headers).get('x-kiosk-token')).toBe('kt_other');
  expect(await isPaired(device, answering(401))).toBe(false);
  expect(await isPaired(device, answering(500))).toBe(false);
  expect(await isPaired(device, () => Promise.reject(new TypeError('fetch failed')))).toBe(false);
  expect(await isPaired({ ...device, origin: null }, send)).toBe(false);
});

test('a device that was never paired is not held', async () => {
  const send = answering(500);
  expect(await mayLeave({ ...held, token: null, proof: null }, send)).toBe('left');
  expect(send).not.toHaveBeenCalled();
});
