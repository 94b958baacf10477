import { expect, test } from 'vitest';
import type { FlowState } from '../../flow/flow.ts';
import type { OpenResponse } from '../../../server/contract/flow.ts';
import type { TicketDecision } from '../../../server/contract/tickets.ts';
import { RequestError } from '../../http/request-error.ts';
import { screenNameOf, wantsWarmCamera } from './kiosk-state.ts';
import { CONFIG, EVENT, ORDERS, idle, testKiosk } from './kiosk.fixture.ts';

const screenOf = ({ kiosk }: ReturnType<typeof testKiosk>) => screenNameOf(kiosk.state(), null);

test('a device without a token pairs, stores the reply and connects', async () => {
  const at = testKiosk({ token: null });
  at.kiosk.start();
  expect(screenOf(at)).toBe('pairing');
  await at.kiosk.pair('7KQP3MZX');
  expect(at.memory.token()).toBe('kt_2');
  await idle();
  expect(screenOf(at)).toBe('attract');
});

test('a refused code says why and pairs nothing', async () => {
  const at = testKiosk({ token: null });
  at.api.pair.mockRejectedValueOnce(new RequestError('invalid_pairing_code'));
  await at.kiosk.pair('2');
  expect(at.kiosk.state().pairing).toMatchObject({ isPaired: false, problem: 'invalid_pairing_code' });
});

test('a touch on a language opens a run in it at once, and a reset clears the person', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up', 'de');
  expect(at.kiosk.state().language).toBe('de');
  await idle();
  expect(at.kiosk.state().stage.kind).toBe('visit');
  expect(at.server().status().session_id).toBe('vs_1');
  at.kiosk.setCalm(true);
  at.kiosk.reset();
  expect(at.visit.end).toHaveBeenCalledOnce();
  expect(at.wipe).toHaveBeenCalledOnce();
  expect(at.kiosk.state()).toMatchObject({ stage: { kind: 'attract' }, language: 'en', isCalm: false });
  expect(at.server().status().session_id).toBeNull();
});

test('without a chosen language it opens in the event’s first one', async () => {
  const at = testKiosk({ config: { ...CONFIG, event: { ...EVENT, languages: ['fr', 'de'] } } });
  await at.ready();
  expect(at.kiosk.state().language).toBe('fr');
  at.kiosk.touch('walk_up');
  await idle();
  expect(at.kiosk.state().stage.kind).toBe('visit');
});

test('a language that is removed is no longer offered once nobody is there', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up', 'de');
  await idle();
  const languages = { offered: ['fr' as const], default_language: 'fr' as const };
  const event = { ...EVENT, languages: ['fr' as const] };
  at.api.config.mockResolvedValueOnce({ ...CONFIG, event, languages, config_version: 'v2' });
  at.server().onOrders({ ...ORDERS, config_version: 'v2' });
  await idle();
  // A guest in a check keeps the chosen language.
  expect(at.kiosk.state()).toMatchObject({ stage: { kind: 'visit' }, language: 'de' });
  at.kiosk.reset();
  expect(at.kiosk.state().language).toBe('fr');
});

test('a kiosk without an event uses one of the languages that the installation offers', async () => {
  const languages = { offered: ['es' as const, 'de' as const], default_language: 'de' as const };
  const at = testKiosk({ config: { ...CONFIG, event: null, languages } });
  expect(at.kiosk.state().language).toBe('en');
  await at.ready();
  expect(at.kiosk.state().language).toBe('de');
});

test('a run that arrives after a reset is not shown', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up');
  at.kiosk.reset();
  await idle();
  expect(screenOf(at)).toBe('attract');
});

test('a server that is away is shown, starts nothing, and its return is noticed', async () => {
  const at = testKiosk();
  await at.ready();
  at.server().onOnline(false);
  expect(screenOf(at)).toBe('trouble-offline');
  at.kiosk.touch('walk_up');
  expect(at.api.walkUp).not.toHaveBeenCalled();
  at.server().onOnline(true);
  expect(screenOf(at)).toBe('attract');
});

test('a walk-up without a server ends with a visible reason', async () => {
  const at = testKiosk();
  await at.ready();
  at.api.walkUp.mockRejectedValueOnce(new RequestError('offline'));
  at.kiosk.touch('walk_up');
  await idle();
  expect(screenOf(at)).toBe('trouble-offline');
});

test('scanning goes past a QR code that is not valid here, and takes the next', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('scan');
  expect(screenOf(at)).toBe('scan');
  at.api.scan.mockRejectedValueOnce(new RequestError('not_our_link'));
  await expect(at.kiosk.scanned('https://bar.example/menu')).resolves.toBe(true);
  expect(screenOf(at)).toBe('scan');
  await expect(at.kiosk.scanned('https://venue.example/invite/a')).resolves.toBe(false);
  expect(at.kiosk.state().stage.kind).toBe('visit');
});

test('a code of ours that cannot start a check ends the scan with its reason', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('scan');
  at.api.scan.mockRejectedValueOnce(new RequestError('session_settled'));
  await expect(at.kiosk.scanned('https://venue.example/verification?vys=x')).resolves.toBe(false);
  expect(at.kiosk.state().stage).toEqual({ kind: 'refused', problem: 'session_settled' });
});

test('commands of the console are carried out once and reported as handled', async () => {
  const at = testKiosk();
  await at.ready();
  const command = { command_id: 'c1', kind: 'walk_up' } as const;
  at.server().onOrders({ ...ORDERS, command });
  expect(at.kiosk.state().stage.kind).toBe('opening');
  expect(at.server().status().handled_command_id).toBe('c1');
  at.kiosk.reset();
  at.server().onOrders({ ...ORDERS, command });
  expect(screenOf(at)).toBe('attract');
  at.kiosk.touch('walk_up');
  at.server().onOrders({ ...ORDERS, command: { command_id: 'c2', kind: 'reset' } });
  expect(screenOf(at)).toBe('attract');
});

test('a walk-up from the console does not interrupt a person', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  at.server().onOrders({ ...ORDERS, command: { command_id: 'c1', kind: 'walk_up' } });
  expect(at.kiosk.state().stage.kind).toBe('visit');
  expect(at.visit.end).not.toHaveBeenCalled();
});

test('the config is reloaded when the server has another one', async () => {
  const at = testKiosk();
  await at.ready();
  at.server().onOrders(ORDERS);
  await idle();
  expect(at.api.config).toHaveBeenCalledTimes(1);
  at.server().onOrders({ ...ORDERS, config_version: 'v2' });
  await idle();
  expect(at.api.config).toHaveBeenCalledTimes(2);
});

test('a revoked device deletes its token and its guest’s state', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  at.server().onUnpaired();
  expect(at.visit.end).toHaveBeenCalledOnce();
  expect(at.memory.token()).toBeNull();
  expect(at.kiosk.state().pairing).toMatchObject({ isPaired: false, wasRevoked: true });
  expect(screenOf(at)).toBe('pairing');
});

test('unpairing by staff takes effect only after the server has confirmed it', async () => {
  const at = testKiosk();
  await at.ready();
  const proof = { operatorId: 'op_1', pin: '428190' };
  at.api.unpair.mockRejectedValueOnce(new RequestError('offline'));
  await expect(at.kiosk.unpair(proof)).rejects.toMatchObject({ code: 'offline' });
  expect(at.memory.token()).toBe('kt_1');
  await at.kiosk.unpair(proof);
  expect(at.api.unpair).toHaveBeenLastCalledWith('op_1', '428190');
  expect(at.memory.token()).toBeNull();
  expect(at.kiosk.state().pairing).toMatchObject({ isPaired: false, wasRevoked: false });
  expect(screenOf(at)).toBe('pairing');
});

test('a device that was revoked meanwhile is unpaired anyway', async () => {
  const at = testKiosk();
  await at.ready();
  at.api.unpair.mockRejectedValueOnce(new RequestError('invalid_kiosk_token'));
  await at.kiosk.unpair({ operatorId: 'op_1', pin: '428190' });
  expect(screenOf(at)).toBe('pairing');
});

test.each([
  [{ ...CONFIG, event: null }, 'trouble-no_event'],
  [{ ...CONFIG, event: { ...EVENT, state: 'upcoming' } }, 'trouble-not_started'],
  [{ ...CONFIG, event: { ...EVENT, state: 'over' } }, 'trouble-over'],
] as const)('without a running event nobody is checked (%#)', async (config, screen) => {
  const at = testKiosk({ config });
  await at.ready();
  expect(screenOf(at)).toBe(screen);
});

test('a missing camera blocks live runs only', async () => {
  const live = testKiosk();
  await live.ready();
  live.kiosk.cameraIs('missing');
  expect(screenOf(live)).toBe('trouble-camera_missing');
  live.kiosk.cameraIs('ready');
  expect(screenOf(live)).toBe('attract');
  const trial = testKiosk({ config: { ...CONFIG, event: { ...EVENT, is_test: true } } });
  await trial.ready();
  trial.kiosk.cameraIs('missing');
  expect(screenOf(trial)).toBe('attract');
});

test('the last hint about the picture stays known until the camera is gone', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.cameraSees('covered');
  at.kiosk.cameraIs('ready');
  expect(at.kiosk.state().camera).toBe('covered');
  at.kiosk.cameraIs('missing');
  expect(at.kiosk.state().camera).toBe('missing');
});

test('a tab does nothing until it is the kiosk, and nothing once another tab is', async () => {
  const at = testKiosk();
  expect(screenOf(at)).toBe('starting');
  at.kiosk.stop();
  expect(screenOf(at)).toBe('other_tab');
  expect(at.api.config).not.toHaveBeenCalled();
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  at.kiosk.stop();
  expect(at.visit.end).toHaveBeenCalledOnce();
  expect(at.connection.stop).toHaveBeenCalledOnce();
  expect(screenOf(at)).toBe('other_tab');
});

test('a tab that becomes the kiosk again knows whether another one unpaired the device', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.stop();
  at.memory.keepToken(null);
  at.kiosk.start();
  expect(screenOf(at)).toBe('pairing');
});

test('the code of a pairing address pairs the device; a used one leaves it the kiosk that it was', async () => {
  const at = testKiosk();
  at.api.pair.mockRejectedValueOnce(new RequestError('invalid_pairing_code'));
  at.kiosk.start('7KQP3MZX');
  await idle();
  expect(screenOf(at)).toBe('attract');
  expect(at.memory.token()).toBe('kt_1');
});

test('a pairing address shows the keys for a code only if its own failed', async () => {
  const at = testKiosk({ token: null });
  at.api.pair.mockRejectedValueOnce(new RequestError('invalid_pairing_code'));
  at.kiosk.start('7KQP3MZX');
  expect(screenOf(at)).toBe('starting');
  await idle();
  expect(screenOf(at)).toBe('pairing');
  at.kiosk.start('7KQP3MZY');
  expect(screenOf(at)).toBe('starting');
  await idle();
  expect(at.kiosk.state()).toMatchObject({ tab: 'this', pairing: { isPaired: true } });
});

test('a tab that another one replaced while its address was pairing stays replaced', async () => {
  const at = testKiosk({ token: null });
  at.kiosk.start('7KQP3MZX');
  at.kiosk.stop();
  await idle();
  expect(at.kiosk.state().tab).toBe('other');
});

test('a camera without a picture closes the start screen, is reported at once, and opens it again with one', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.cameraIs('ready');
  at.connection.beat.mockClear();
  at.kiosk.cameraSends(false);
  expect(at.connection.beat).toHaveBeenCalled();
  expect(screenNameOf(at.kiosk.state(), null)).toBe('trouble-camera_silent');
  expect(wantsWarmCamera(at.kiosk.state(), 'trouble-camera_silent')).toBe(true);
  // The device is still there, which says nothing about its picture.
  at.kiosk.cameraIs('ready');
  expect(at.kiosk.state().camera).toBe('silent');
  at.kiosk.cameraSends(true);
  expect(screenNameOf(at.kiosk.state(), null)).toBe('attract');
});

test('a picture before anybody looks at it does not uncover a covered camera', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.cameraSees('covered');
  at.kiosk.cameraSends(true);
  expect(at.kiosk.state().camera).toBe('covered');
});

test('a pairing address that is opened in the kiosk’s tab pairs it again, and ends the check there', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  at.kiosk.pairAgain('7KQP3MZX');
  expect(at.visit.end).toHaveBeenCalledOnce();
  await idle();
  expect(at.api.pair).toHaveBeenCalledWith('7KQP3MZX', null);
  expect(at.memory.token()).toBe('kt_2');
  expect(screenOf(at)).toBe('attract');
});

test('a paired kiosk stays as it is if the code of an address that is opened in it has expired', async () => {
  const at = testKiosk();
  await at.ready();
  at.api.pair.mockRejectedValueOnce(new RequestError('invalid_pairing_code'));
  at.kiosk.pairAgain('2');
  await idle();
  expect(at.memory.token()).toBe('kt_1');
  expect(screenOf(at)).toBe('attract');
});

test('a guest who asks for staff is shown so until they go back, the check ends, or the kiosk starts over', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.askStaff(true);
  expect(screenOf(at)).toBe('attract');
  at.kiosk.touch('walk_up');
  await idle();
  const shown = (screen: FlowState['screen']) =>
    screenNameOf(at.kiosk.state(), { screen, waiting: null } as FlowState);
  at.kiosk.askStaff(true);
  for (const screen of ['consent', 'phone', 'capture', 'retry'] as const)
    expect(shown(screen)).toBe('ask_staff');
  expect(shown('result')).toBe('result');
  at.kiosk.askStaff(false);
  expect(shown('consent')).toBe('consent');
});

const TICKETS = { ...CONFIG, event: { ...EVENT, takes_tickets: true } };
const OPENED = { flow_token: 'ft', snapshot: { session_id: 'vs_1' } } as OpenResponse;
const PASSED = { screen: 'result', snapshot: { state: 'settled', result: { presented: 'approved' } } };

const decision = (given: Partial<TicketDecision>): TicketDecision => ({
  verdict: 'check',
  why: null,
  direction: 'in',
  ticket: { ticket_id: 't1', name: 'Ada', kind: 'Day ticket', is_inside: false },
  note: null,
  party: [],
  last_at: null,
  last_gate: null,
  valid_from: null,
  valid_until: null,
  other_event: null,
  entry: null,
  undo_until: null,
  ...given,
});

test('a scanner’s code opens the check of its ticket from the start screen, or says why not', async () => {
  const at = testKiosk({ config: TICKETS });
  await at.ready();
  at.api.ticket.mockResolvedValueOnce({ decision: decision({}), opened: OPENED });
  await at.kiosk.scanned('=A1');
  expect(at.api.ticket).toHaveBeenCalledWith({ text: '=A1' });
  expect(at.kiosk.state().stage.kind).toBe('visit');
  at.kiosk.reset();
  at.api.ticket.mockResolvedValueOnce({
    decision: decision({ verdict: 'refuse', why: 'blocked' }),
    opened: null,
  });
  await at.kiosk.scanned('=A2');
  expect(screenOf(at)).toBe('ticket');
  expect(at.api.scan).not.toHaveBeenCalled();
});

test('where the ticket comes first, a touch asks for it', async () => {
  const at = testKiosk({ config: { ...CONFIG, event: { ...TICKETS.event, ticket_first: true } } });
  await at.ready();
  at.kiosk.touch('walk_up');
  expect([screenOf(at), at.api.walkUp.mock.calls]).toEqual(['scan', []]);
});

test('who passed is let in by their ticket, or shows it then', async () => {
  const at = testKiosk({ config: TICKETS });
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  const shown = () => screenNameOf(at.kiosk.state(), PASSED as FlowState);
  expect(shown()).toBe('admission');
  at.api.admission.mockResolvedValueOnce(decision({ verdict: 'ask_ticket', ticket: null }));
  at.kiosk.admit();
  at.kiosk.admit();
  await idle();
  expect(at.api.admission).toHaveBeenCalledOnce();
  expect(shown()).toBe('show_ticket');
  at.api.admission.mockResolvedValueOnce(decision({ verdict: 'refuse', why: 'unknown', ticket: null }));
  expect(await at.kiosk.scanned('poster')).toBe(true);
  expect(shown()).toBe('show_ticket');
  at.api.admission.mockResolvedValueOnce(decision({ verdict: 'admit', entry: 1 }));
  expect(await at.kiosk.scanned('=A1')).toBe(false);
  expect(at.api.admission).toHaveBeenLastCalledWith('vs_1', '=A1');
  expect(shown()).toBe('ticket');
});

test('an event without tickets shows the result of the check', async () => {
  const at = testKiosk();
  await at.ready();
  at.kiosk.touch('walk_up');
  await idle();
  expect(screenNameOf(at.kiosk.state(), PASSED as FlowState)).toBe('result');
});

test('a party’s guests follow each other; who is not let in ends it', async () => {
  const at = testKiosk({ config: TICKETS });
  await at.ready();
  const guests = ['t1', 't2', 't3'].map((ticket_id) => ({
    ticket_id,
    name: ticket_id,
    kind: null,
    is_inside: false,
  }));
  const asked = decision({ verdict: 'ask_party', party: guests });
  at.api.ticket.mockResolvedValueOnce({ decision: asked, opened: null });
  await at.kiosk.scanned('=A1');
  expect(screenOf(at)).toBe('party');
  at.api.ticket.mockResolvedValue({ decision: decision({}), opened: OPENED });
  at.kiosk.partyIsHere(guests);
  await idle();
  expect(at.api.ticket).toHaveBeenLastCalledWith({ ticket_id: 't1' });
  at.api.admission.mockResolvedValueOnce(decision({ verdict: 'admit', entry: 1 }));
  at.kiosk.admit();
  await idle();
  at.kiosk.leave();
  await idle();
  expect(at.api.ticket).toHaveBeenLastCalledWith({ ticket_id: 't2' });
  expect(at.kiosk.state()).toMatchObject({
    stage: { kind: 'visit', admission: null },
    party: [{ ticket_id: 't3' }],
  });
  at.api.admission.mockResolvedValueOnce(decision({ verdict: 'ask_staff', why: 'other_face' }));
  at.kiosk.admit();
  await idle();
  at.kiosk.leave();
  expect(at.kiosk.state()).toMatchObject({ stage: { kind: 'attract' }, party: [] });
});
