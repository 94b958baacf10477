import { expect, it } from 'vitest';
import { auditMessage, type ChainedEntry, syslogFrame } from './audit-message.ts';

const ENTRY: ChainedEntry = {
  seq: 7,
  at: Date.UTC(2026, 10, 26, 20, 15, 1, 5),
  actor: 'operator:o1',
  action: 'key.revoked',
  companyId: 'c1',
  partition: 'live',
  subject: 'k1',
  details: { reason: 'lost = "gone"\nby Zoë | \\' },
  previousHash: '00',
  hash: 'ff',
};
const SENDER = { host: 'Björns Rechner', version: '0.1.0', processId: 42 };

it('a syslog frame counts its octets and has the header of RFC 5424', () => {
  const frame = syslogFrame(ENTRY, 'json', SENDER).toString();
  const [, length = '', line = ''] = /^(\d+) (.*)$/s.exec(frame) ?? [];
  expect(Buffer.byteLength(line)).toBe(Number(length));
  expect(
    line.startsWith('<109>1 2026-11-26T20:15:01.005Z BjrnsRechner gatehouse 42 key.revoked - {"seq":7,'),
  ).toBe(true);
  expect(line).not.toContain('\n');
});

it('a failed sign-in is a warning', () => {
  expect(syslogFrame({ ...ENTRY, action: 'operator.sign_in_failed' }, 'cef', SENDER).toString()).toMatch(
    /^\d+ <108>1 .*\|operator\.sign_in_failed\|6\|/,
  );
});

it('JSON carries the hashes and the details as they are', () => {
  const { details, previous_hash, hash } = JSON.parse(auditMessage(ENTRY, 'json', SENDER)) as Record<
    string,
    unknown
  >;
  expect({ details, previous_hash, hash }).toEqual({
    details: ENTRY.details,
    previous_hash: '00',
    hash: 'ff',
  });
});

it('CEF escapes what separates its fields, and leaves out what is empty', () => {
  const line = auditMessage({ ...ENTRY, action: 'a|b\\c', partition: null }, 'cef', SENDER);
  expect(line).toBe(
    String.raw`CEF:0|Gatehouse|Gatehouse|0.1.0|a\|b\\c|a\|b\\c|3|rt=1795724101005 externalId=7 suser=operator:o1 duid=k1 ` +
      String.raw`cs1Label=companyId cs1=c1 cs2Label=partition cs3Label=previousHash cs3=00 cs4Label=hash cs4=ff ` +
      String.raw`msg={"reason":"lost \= \\"gone\\"\\nby Zoë | \\\\"}`,
  );
});
