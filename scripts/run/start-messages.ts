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

/** In the order in which they are shown. */
const PURPOSES = {
  company_id: 'names the company in commands',
  default_verification_id: 'runs unless a request names another one',
  sk_test: 'your server, test checks',
  pk_test: 'a browser, test checks',
  sk_live: 'your server, real guests',
  pk_live: 'a browser, real guests',
  ak_test: 'v1 and v2, test checks',
  ak_live: 'v1 and v2, real guests',
} as const;

/** @param testLink hosted link of a test session, if one could be created */
export function firstCompanyMessage(
  company: NewCompany & { name: string },
  baseUrl: string,
  testLink: string | null,
): string {
  const values = { ...company, ...company.keys };
  const rows = (Object.keys(PURPOSES) as (keyof typeof PURPOSES)[]).map(
    (field) => [field, values[field], PURPOSES[field]] as const,
  );
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const nameWidth = widthOf(rows.map(([field]) => field));
  const valueWidth = widthOf(rows.map(([, value]) => value));
  const list = rows
    .map(([field, value, purpose]) => `  ${field.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${purpose}`)
    .join('\n');
  const trial =
    testLink === null
      ? ''
      : `
Try it: open this link (a test session for one check, valid for 24 hours).
It offers "Test faces", so no camera is needed.

  ${testLink}
`;
  return `${RULE}
This is the first start. The company "${company.name}" has been created.
Its keys are shown ONCE. Store them safely now: Gatehouse keeps only hashes
and cannot show them again.

${list}

For the commands in the documentation, paste these lines into a shell:

  export BASE=${baseUrl}
  export SK_TEST=${company.keys.sk_test}
  export AK_TEST=${company.keys.ak_test}
  export COMPANY=${company.company_id}
${trial}${RULE}
`;
}
