/** What `npm start` prints for people. */
import type { ServerAddresses } from '../../electron/service/ready-line.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';

const RULE = '─'.repeat(72);

/** @param window why there is no desktop window; null if there is one */
export function runningMessage(addresses: ServerAddresses, dataDir: string, window: string | null): string {
  const where =
    window === null
      ? 'Its window is open.'
      : `No desktop window: ${window}.\nOpen the console in a browser instead.`;
  return `
Gatehouse is running. Stop it with Ctrl-C.

  Console  ${addresses.consoleUrl}
  Service  ${addresses.baseUrl}
  Data     ${dataDir}

${where}
`;
}

/** @param testLink hosted link of a test session, if one could be created */
export function firstCompanyMessage(company: NewCompany & { name: string }, testLink: string | null): string {
  const { name, company_id, default_verification_id, keys } = company;
  const rows = Object.entries({ company_id, default_verification_id, ...keys });
  const width = Math.max(...rows.map(([field]) => field.length));
  const list = rows.map(([field, value]) => `  ${field.padEnd(width)}  ${value}`).join('\n');
  const trial =
    testLink === null
      ? ''
      : `
Try it: open this link (a test session for one check, valid for 24 hours).
It offers "Test faces", so no camera is needed.

  ${testLink}
`;
  return `${RULE}
This is the first start. The company "${name}" has been created.
Its keys are shown ONCE. Store them safely now: Gatehouse keeps only hashes
and cannot show them again.

${list}
${trial}${RULE}
`;
}
