/** Events at the real service: what a form sends, and times in the venue's zone. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_PAGE } from '../../../../server/contract/console/common.ts';
import type { EventCreate, EventRecord } from '../../../../server/contract/console/events.ts';
import { insertSource } from '../../../../server/store/tickets/sources.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

const EVENT: EventCreate = {
  name: 'Shared',
  starts_at: '2040-05-15T18:30:00.000Z',
  ends_at: '2040-05-16T02:00:00.000Z',
};

/** An admin on the page of an event, whose form is open; `elsewhere` is what somebody else does meanwhile. */
async function openForm(event: EventCreate = EVENT) {
  const service = await openService();
  const [ada, ben] = [await service.as('admin'), await service.as('admin')];
  const { event_id: id } = await ben.ok<EventRecord>('/events', { body: event });
  const path = `/events/${id}`;
  const { user, calls } = await openConsole(`/events?open=${id}`, ada);
  await user.click(await screen.findByRole('button', { name: 'Change' }));
  const form = within(await screen.findByRole('dialog', { name: `Change ${event.name}` }));
  return {
    ...{ user, form, ben, ada, service },
    read: () => ben.ok<EventRecord>(path),
    elsewhere: (body: object) =>
      ben.ok(path, { method: 'PATCH', body: { ...body, reason: 'somebody else' } }),
    save: () => user.click(form.getByRole('button', { name: 'Save' })),
    sent: () => calls.findLast(({ name }) => name.startsWith('PATCH'))?.body,
    isClosed: () => waitFor(() => expect(screen.queryByRole('dialog', { name: /^Change/ })).toBeNull()),
  };
}

test('a form that was open for long sends only what its admin changed; a reason over the limit is kept and refused', async () => {
  const { user, form, elsewhere, save, sent, read, isClosed } = await openForm();
  const group = form.getByLabelText(/^Group/);
  await user.clear(group);
  await user.type(group, 'balcony');
  await elsewhere({ guest_photo_days: 7, colour: '#123456', words: { de: { welcome: 'Hallo' } } });
  await screen.findByText('Hallo');
  await user.type(form.getByLabelText(/^Below the name/), 'Welcome in');
  const reason = form.getByLabelText<HTMLTextAreaElement>(/^Reason/);
  await user.click(reason);
  await user.paste('x'.repeat(501));
  await form.findByText('501 of 500 characters');
  expect(form.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  expect(reason.value).toHaveLength(501);
  await user.keyboard('{Backspace}');
  await save();
  await isClosed();
  expect(Object.keys(sent() ?? {}).sort()).toEqual(['group', 'reason', 'version', 'words']);
  expect(await read()).toMatchObject({
    ...EVENT,
    ...{ group: 'balcony', guest_photo_days: 7, colour: '#123456' },
    words: { de: { welcome: 'Hallo' }, en: { welcome: 'Welcome in' } },
  });
});

test('of a field that both changed, the form offers both values and sends the one that was chosen', async () => {
  const { user, form, elsewhere, save, read, isClosed } = await openForm();
  const name = form.getByLabelText(/^Name/);
  await user.clear(name);
  await user.type(name, 'Mine');
  await user.type(form.getByLabelText(/^Reason/), 'a better name');
  await elsewhere({ name: 'Theirs' });
  await save();
  const notice = within(await form.findByRole('alert', { name: 'Changed by somebody else' }));
  notice.getByRole('button', { name: 'Theirs: Theirs' });
  await user.click(notice.getByRole('button', { name: 'Yours: Mine' }));
  await save();
  await isClosed();
  expect(await read()).toMatchObject({ ...EVENT, name: 'Mine' });
});

test('a year that is typed digit by digit keeps what is typed, in a form and in a filter', async () => {
  const { form, ada } = await openForm();
  const starts = form.getByLabelText<HTMLInputElement>(/^Starts/);
  for (const year of ['0002', '0020', '0203', '2039']) {
    fireEvent.change(starts, { target: { value: `${year}-05-15T18:30` } });
    expect(starts.value).toBe(`${year}-05-15T18:30`);
  }
  const { calls } = await openConsole('/audit', ada);
  for (const year of ['0002', '0020', '0202', '2026']) {
    const from = () => screen.findByLabelText<HTMLInputElement>('From');
    fireEvent.change(await from(), { target: { value: `${year}-05-15` } });
    await waitFor(async () => expect((await from()).value).toBe(`${year}-05-15`));
    expect(window.location.search).toContain(`from=${year}-05-15`);
  }
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls.length).toBeGreaterThan(0);
});

test('times are shown and taken in the zone of the venue, wherever the console is open', async () => {
  const service = await openService();
  const ada = await service.as('admin');
  const { event_id: id } = await ada.ok<EventRecord>('/events', { body: EVENT });
  const { user } = await openConsole('/settings?section=venue', ada);
  const zone = within(await screen.findByRole('region', { name: 'Time zone of the venue' }));
  const own = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
  zone.getByRole('option', { name: `This computer’s (${own})` });
  await user.selectOptions(zone.getByLabelText('Time zone'), 'Asia/Tokyo');
  await user.click(zone.getByRole('button', { name: 'Save' }));
  await zone.findByText('Saved.');

  const page = await openConsole(`/events?open=${id}`, ada);
  await page.user.click(await screen.findByRole('button', { name: 'Change' }));
  const form = within(await screen.findByRole('dialog', { name: 'Change Shared' }));
  const starts = form.getByLabelText<HTMLInputElement>(/^Starts/);
  expect(starts.value).toBe('2040-05-16T03:30');
  expect(form.getAllByText('Time zone: Asia/Tokyo.')).toHaveLength(2);
  fireEvent.change(starts, { target: { value: '2040-05-16T04:00' } });
  await page.user.type(form.getByLabelText(/^Reason/), 'doors open later');
  await page.user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText(/04:00:00|4:00:00/);
  expect(await ada.ok<EventRecord>(`/events/${id}`)).toMatchObject({ starts_at: '2040-05-15T19:00:00.000Z' });
});

test('a link leads to an event that is not on the first page of the list', async () => {
  const service = await openService();
  const ada = await service.as('admin');
  const first = {
    ...EVENT,
    name: 'The first of many',
    starts_at: '2019-06-01T18:00:00Z',
    ends_at: '2019-06-03T02:00:00Z',
  };
  const { event_id: id } = await ada.ok<EventRecord>('/events', { body: first });
  for (let count = 0; count < DEFAULT_PAGE; count += 1) {
    await ada.ok('/events', { body: { ...first, name: 'Past', starts_at: '2019-06-02T18:00:00Z' } });
  }
  await openConsole(`/events?open=${id}`, ada);
  const drawer = within(await screen.findByRole('dialog', { name: 'The first of many' }));
  await drawer.findByText('Ended');
  await openConsole('/events?open=unknown', ada);
  await within(await screen.findByRole('dialog')).findByRole('alert');
});

test('an admin turns badges on with a template that has only what is allowed, and off again', async () => {
  const { user, form, read, save, isClosed } = await openForm();
  expect(await read()).toMatchObject({ badge: null });
  await user.click(form.getByRole('switch', { name: /^Badges or wristbands/ }));
  expect(form.getByRole('img', { name: 'Preview of the badge' }).textContent).toContain('Ada Vale');
  const template = form.getByLabelText(/^Template/);
  await user.clear(template);
  await user.click(template);
  await user.paste('<img src=x>{name}');
  await user.type(form.getByLabelText(/^Reason/), 'guests wear badges');
  form.getByText('Use only these fields and elements.');
  expect(form.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.clear(template);
  await user.click(template);
  await user.paste('<h1>{name}</h1>');
  fireEvent.change(form.getByLabelText(/^Height/), { target: { value: '25' } });
  await save();
  await isClosed();
  expect(await read()).toMatchObject({ badge: '<h1>{name}</h1>', badge_width_mm: 90, badge_height_mm: 25 });
  await screen.findByText('90 × 25 mm');
});

test('faces that are sealed with tickets: the form and the event name what that does not stop, and whether codes are kept', async () => {
  const { user, form, read, save, isClosed, ada, service } = await openForm();
  await user.selectOptions(form.getByLabelText(/^What faces are for/), 'The guest’s ticket only');
  form.getByText(/does not stop one person from holding several tickets/);
  form.getByLabelText(/^Days from the event’s end/);
  await user.type(form.getByLabelText(/^Reason/), 'guests come back in the evening');
  await save();
  await isClosed();
  const event = await read();
  expect(event).toMatchObject({ faces: 'ticket', faces_days: 1, keeps_codes: false });
  await screen.findByText(/One person can hold several tickets/);
  screen.getByText(/Only a keyed hash \(HMAC\) of each is kept/);
  const scope = { companyId: service.company.company_id, partition: 'live' } as const;
  await service.deps.db.tx((tx) =>
    insertSource(tx, scope, {
      ...{ id: 'shop', eventId: event.event_id, kind: 'pretix', name: 'Shop', config: {}, state: {} },
      ...{ createdAt: 1, updatedAt: 1 },
    }),
  );
  await openConsole(`/events?open=${event.event_id}`, ada);
  await screen.findByText(/Kept as well, encrypted/);
});
