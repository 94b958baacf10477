/** The audit log at a real rsyslog over TLS, through the receiver's outage and a kill of the server. */
import { expect, test } from '@playwright/test';
import { limitMs } from '../../testing/tier.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { missingRsyslog, openRsyslog } from '../support/service/rsyslog.ts';
import { startGatehouse } from '../support/service/server.ts';

prerequisite(missingRsyslog());

type Entry = { seq: number; company_id: string | null; details: object; previous_hash: string; hash: string };

test('entries reach rsyslog over TLS; an outage and a kill lose none, and the chain can be checked there', async () => {
  test.setTimeout(limitMs(90_000));
  await using rsyslog = await openRsyslog();
  await rsyslog.start();
  await using gatehouse = await startGatehouse({
    env: { GATEHOUSE_AUDIT_SYSLOG: rsyslog.url, NODE_EXTRA_CA_CERTS: rsyslog.authority },
  });
  const rename = (name: string) =>
    gatehouse.cli(['company', 'update', '--company', gatehouse.company.company_id, '--name', name]);
  const entries = () => rsyslog.messages().map((line) => JSON.parse(line) as Entry);
  const arrived = (name: string) =>
    expect
      .poll(() => entries().filter(({ details }) => JSON.stringify(details).includes(name)).length, {
        timeout: limitMs(20_000),
      })
      .toBeGreaterThan(0);
  await rename('Before the outage');
  await arrived('Before the outage');
  await rsyslog.stop();
  await rename('During the outage');
  await gatehouse.kill9();
  await gatehouse.restart();
  await rsyslog.start();
  await rename('After the outage');
  await arrived('During the outage');
  await arrived('After the outage');
  // An entry whose arrival was not confirmed may come twice; its hash is the same.
  const once = [...new Map(entries().map((entry) => [entry.hash, entry])).values()];
  const chain = once
    .filter(({ company_id }) => company_id === gatehouse.company.company_id)
    .toSorted((a, b) => a.seq - b.seq);
  expect(chain.length).toBeGreaterThan(2);
  for (const [n, { previous_hash }] of chain.slice(1).entries()) expect(previous_hash).toBe(chain[n]?.hash);
});
