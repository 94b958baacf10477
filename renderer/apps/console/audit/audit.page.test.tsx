import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuditItem } from '../../../../server/contract/console/audit.ts';
import { companies } from '../../../../server/contract/routes/console/access.ts';
import { audit } from '../../../../server/contract/routes/console/audit.ts';
import { on, openConsole, VENUE } from '../console.fixture.tsx';

const entry: AuditItem = {
  ...{ seq: 7, at: '2030-05-15T18:00:30.000Z', actor: 'operator:op_ada', actor_name: 'Ada' },
  ...{ action: 'key.roll', company_id: null, partition: null, subject: 'key_1', subject_name: 'Main' },
  ...{ to_name: null, subject_verification: null, details: {}, hash: 'a'.repeat(64) },
};

test.each([
  ['Asia/Tokyo', '03:00:30', '18:00:30'],
  ['UTC', '18:00:30', '18:00:30'],
])(
  'an entry is shown at the time of the venue in %s and in UTC, once where both are the same',
  async (zone, local, utc) => {
    const { user } = await openConsole('/audit', [
      on(companies.list, () => ({ items: VENUE.items.map((company) => ({ ...company, zone })) })),
      on(audit.list, () => ({ items: [entry], next_cursor: null })),
    ]);
    await screen.findByText(/rolled the keys/);
    await user.click(document.querySelector('.row-open')!);
    const drawer = within(await screen.findByRole('dialog'));
    const shown =
      drawer.getByText((_, element) => element?.tagName === 'TIME').parentElement?.textContent ?? '';
    expect(shown).toContain(local);
    expect(shown).toContain(`${utc} UTC`);
    expect(shown.split(utc)).toHaveLength(2);
  },
);
