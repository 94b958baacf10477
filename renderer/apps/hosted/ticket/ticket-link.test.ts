import { expect, test } from 'vitest';
import { readTicketLink } from './ticket-link.ts';

test.each([
  ['/t/e1', ''],
  ['/t/e1/#A-1%2F2%20b', 'A-1/2 b'],
  ['/t/e1#=9F', '=9F'],
  ['/t/e1#100%', '100%'],
])('the link of a ticket %s has the code "%s", whose bytes stay', (address, code) => {
  expect(readTicketLink(`https://gate.example${address}`)).toEqual({ eventId: 'e1', code });
});
