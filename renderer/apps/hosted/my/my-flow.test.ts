import { beforeEach, expect, test, vi } from 'vitest';
import type { MyConnection } from '../../../../server/contract/my.ts';
import { RequestError } from '../../../http/request-error.ts';
import type { MyApi } from './my-api.ts';
import { createMyFlow, type MyFlow } from './my-flow.ts';

const NUMBER = '+999011234567';
const SENT = {
  code_sent_at: '2026-01-01T00:00:00.000Z',
  resend_at: '2026-01-01T00:00:30.000Z',
  resend_in_ms: 30_000,
};
const CONTACT = { organiser: 'Venue', privacy_contact: 'privacy@venue.example', asks_staff: true };
const venue = (connected = true): MyConnection => ({
  connection_id: 'c1',
  organiser: 'Venue',
  is_test: true,
  since: SENT.code_sent_at,
  last_seen_at: SENT.code_sent_at,
  connected,
  kept: [],
});

let api: { [K in keyof MyApi]: ReturnType<typeof vi.fn<MyApi[K]>> };
let flow: MyFlow;
beforeEach(() => {
  api = {
    sendCode: vi.fn<MyApi['sendCode']>().mockResolvedValue(SENT),
    open: vi.fn<MyApi['open']>().mockResolvedValue([venue()]),
    openWith: vi.fn<MyApi['openWith']>().mockResolvedValue([venue()]),
    contact: vi.fn<MyApi['contact']>().mockResolvedValue(CONTACT),
    list: vi.fn<MyApi['list']>().mockResolvedValue([]),
    act: vi.fn<MyApi['act']>().mockResolvedValue([]),
    close: vi.fn<MyApi['close']>(),
  };
  flow = createMyFlow(api, () => Date.parse(SENT.code_sent_at));
});

const rests = () => expect.poll(() => flow.state().busy).toBe(false);
async function codeAsked(): Promise<void> {
  flow.sendCode(NUMBER);
  await rests();
}
async function opened(): Promise<void> {
  await codeAsked();
  flow.confirmCode('234567');
  await rests();
}
async function acted(kind: 'disconnect' | 'erase'): Promise<void> {
  await opened();
  flow.ask(kind, venue());
  expect(flow.state().screen).toBe('confirm');
  expect(api.act).not.toHaveBeenCalled();
  flow.act();
  await rests();
}

test('the proof of a run leads to its organiser without a number', async () => {
  flow.start('od_proof');
  await rests();
  expect(api.openWith).toHaveBeenCalledWith('od_proof');
  expect(flow.state()).toMatchObject({ screen: 'list', isOfRun: true, connections: [venue()] });
});

test('a proof that has ended leads to the number, with the organiser’s contact', async () => {
  api.openWith.mockRejectedValue(new RequestError('invalid_flow_token'));
  flow.start('od_old');
  await rests();
  await expect.poll(() => flow.state().contact).toEqual(CONTACT);
  expect(flow.state()).toMatchObject({ screen: 'number', said: { kind: 'ended' } });
  expect(api.close).toHaveBeenCalled();
});

test('a number leads to its code, the code to the organisers', async () => {
  await codeAsked();
  expect(flow.state()).toMatchObject({ screen: 'code', phone: { hint: NUMBER, ...SENT } });
  flow.confirmCode('234567');
  await rests();
  expect(api.open).toHaveBeenCalledWith(NUMBER, '234567');
  expect(flow.state()).toMatchObject({ screen: 'list', connections: [venue()] });
});

test('a code that has not arrived yet can be entered', async () => {
  api.sendCode.mockRejectedValue(new RequestError('resend_too_soon', { retryAfterS: 12 }));
  await codeAsked();
  expect(flow.state()).toMatchObject({
    screen: 'code',
    phone: { resend_in_ms: 12_000 },
    phoneTrouble: { trouble: 'resend_too_soon' },
  });
});

test('a wrong code is reported with the remaining tries', async () => {
  await codeAsked();
  api.open.mockRejectedValue(new RequestError('wrong_code', { facts: { tries_left: 4 } }));
  flow.confirmCode('000000');
  await rests();
  expect(flow.state()).toMatchObject({
    screen: 'code',
    phoneTrouble: { trouble: 'wrong_code', triesLeft: 4 },
  });
});

test.each(['code_required', 'too_many_codes', 'code_expired'] as const)(
  'a code refused with %s needs a new one',
  async (code) => {
    await codeAsked();
    api.open.mockRejectedValue(new RequestError(code));
    flow.confirmCode('000000');
    await rests();
    expect(flow.state().phoneTrouble?.trouble).toBe('code_expired');
  },
);

test.each([
  ['disconnect', 'disconnected'],
  ['erase', 'erased'],
] as const)('%s is confirmed, done and reported with the organiser’s name', async (kind, said) => {
  await acted(kind);
  expect(api.act).toHaveBeenCalledWith(kind, 'c1');
  expect(flow.state()).toMatchObject({
    screen: 'list',
    connections: [],
    said: { kind: said, organiser: 'Venue' },
  });
});

test('going back changes nothing', async () => {
  await opened();
  flow.ask('erase', venue());
  flow.back();
  flow.act();
  expect(flow.state()).toMatchObject({ screen: 'list', asked: null });
  expect(api.act).not.toHaveBeenCalled();
});

test('after a change elsewhere the remaining organisers are shown', async () => {
  api.act.mockRejectedValue(new RequestError('not found'));
  await acted('erase');
  expect(flow.state()).toMatchObject({ screen: 'list', connections: [], said: { kind: 'gone' } });
});

test('a failure is reported and leaves the question open', async () => {
  api.act.mockRejectedValue(new RequestError('server'));
  await acted('erase');
  expect(flow.state()).toMatchObject({ screen: 'confirm', said: { kind: 'failed' } });
});

test('an expired session asks for the number again and keeps nothing', async () => {
  api.act.mockRejectedValue(new RequestError('invalid_flow_token'));
  await acted('disconnect');
  expect(api.close).toHaveBeenCalled();
  expect(flow.state()).toMatchObject({
    screen: 'number',
    number: '',
    connections: [],
    asked: null,
    said: { kind: 'ended' },
  });
});

test('a closed page keeps nothing', async () => {
  await opened();
  flow.close();
  expect(api.close).toHaveBeenCalled();
  expect(flow.state()).toMatchObject({ screen: 'number', number: '', connections: [] });
});
