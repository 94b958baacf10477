/** Rules for the documentation: working links, complete references, tested code blocks. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { createProgram } from '../../server/cli/commands.ts';
import { AUDIT_ACTIONS } from '../../server/contract/console/audit.ts';
import { SESSION_STATUSES } from '../../server/contract/console/sessions.ts';
import { KIOSK_AWAY_AFTER_MS } from '../../server/contract/kiosk.ts';
import { MAX_GUEST_PHOTO_DAYS } from '../../server/contract/console/events.ts';
import { LEASE_MS } from '../../server/contract/console/reviews.ts';
import {
  MAX_ADDRESS_CHARS,
  MAX_CONFIG_BYTES,
  MAX_EMAIL_CHARS,
  MAX_ID_LENGTH,
  MAX_NAME_CHARS,
  MAX_PASS_PARAMS_BYTES,
  MAX_PHONE_CHARS,
} from '../../server/contract/text-bounds.ts';
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import {
  CODE_LIFETIME_MS,
  CODE_TRIES,
  OWN_CODES_PER_ADDRESS,
  OWN_CODES_PER_NUMBER,
  OWN_CODES_PER_PREFIX,
  RESEND_AFTER_MS,
} from '../../server/domain/phone/code.ts';
import { PAIRING_LIFETIME_MS } from '../../server/domain/venue/event.ts';
import { LONGEST_WAIT_MS, MAX_ATTEMPTS } from '../../server/domain/webhooks/backoff.ts';
import { STATUS_TOKEN_LIFETIME_MS } from '../../server/services/connections/status-token.ts';
import { IDLE_TIMEOUT_MS } from '../../server/services/operators/operator-session.ts';
import { TOKEN_LIFETIME_MS } from '../../server/services/passes/confirmations.ts';
import { CONTINUATION_LIFETIME_MS } from '../../server/services/runs/continuation.ts';
import { HANDOFF_LIFETIME_MS } from '../../server/services/runs/handoff.ts';
import { MAX_UNOPENED } from '../../server/services/runs/sessions/unopened.ts';
import { SESSION_LIFETIME_MS } from '../../server/services/runs/sessions/sessions.ts';
import { ATTEMPT_LIMIT_MS } from '../../server/services/webhooks/send.ts';
import { REASONS } from '../../server/domain/settling/reasons.ts';
import { WEBHOOK_TYPES } from '../../server/contract/webhook-types.ts';
import { anchorsOf, codeBlocksOf, readDocuments, ROOT, textOf, withoutCodeBlocks } from './documents.ts';

const documents = readDocuments();

it('every link leads to a file, and to a heading if it names one', () => {
  const broken = documents.flatMap(({ file, text }) =>
    [...withoutCodeBlocks(text).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, target = '', anchor]) => {
        const page = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
        if (!existsSync(path.join(ROOT, page))) return true;
        return anchor !== undefined && !anchorsOf(textOf(page)).includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('every page is in the index', () => {
  const index = textOf('docs/README.md');
  const pages = documents.map(({ file }) => path.posix.relative('docs', file));
  expect(
    pages.filter((page) => !page.startsWith('..') && page !== 'README.md' && !index.includes(`(${page}`)),
  ).toEqual([]);
});

/** Set by a script, not by a catalogue. */
const NAME_OF_FIRST_COMPANY = 'My venue';

it('every text of a screen that a guide quotes, in italics or in quotation marks, is in the English messages', () => {
  const messages = readdirSync(path.join(ROOT, 'locales/en'))
    .flatMap((file) => Object.values(JSON.parse(textOf(`locales/en/${file}`)) as Record<string, unknown>))
    .filter((message) => typeof message === 'string');
  const isShown = (quoted: string) =>
    quoted === NAME_OF_FIRST_COMPANY ||
    messages.some((message) => message.replaceAll('’', "'").includes(quoted.replaceAll('’', "'")));
  const unknown = documents
    .filter(({ file }) => /^(README|docs\/(how-to|reference|tutorial)\/)/.test(file))
    .flatMap(({ file, text }) => {
      const prose = withoutCodeBlocks(text).replaceAll(/`[^`]*`/g, '');
      const found = (pattern: RegExp) =>
        [...prose.matchAll(pattern)].map(([, quoted = '']) => quoted.replaceAll(/\s+/g, ' '));
      // The name of a control is a message of its own; a quotation may be a part of one.
      return [
        ...found(/(?<![\w\\])_([^_]+?)_(?!\w)/g).filter((quoted) => !messages.includes(quoted)),
        ...found(/"([^"]+)"/g).filter((quoted) => !isShown(quoted)),
      ].map((quoted) => `${file}: ${quoted}`);
    });
  expect(unknown).toEqual([]);
});

/** Variables that `keys export` sets. */
const EXPORTED = new Set(['BASE', 'COMPANY', 'SK_TEST', 'PK_TEST', 'AK_TEST']);

it('every page whose commands use a variable sets it, or links to the list of them', () => {
  const unexplained = documents
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(({ file, text }) => {
      const commands = codeBlocksOf(text)
        .filter(({ language }) => language === 'sh' || language === 'js')
        .map(({ code }) => code);
      const used = new Set(
        commands.flatMap((code) => [...code.matchAll(/\$([A-Z_]+)\b/g)].map(([, name = '']) => name)),
      );
      const sets = (name: string) =>
        commands.some((code) => new RegExp(`(^|\\s)${name}=`, 'm').test(code)) ||
        (EXPORTED.has(name) && commands.some((code) => code.includes('keys export'))) ||
        // The system's own, and one that the page says to set.
        name === 'HOME' ||
        text.includes(`set \`${name}\``);
      return text.includes('README.md#runnable-examples') || file === 'docs/README.md'
        ? []
        : [...used].filter((name) => !sets(name)).map((name) => `${file}: $${name}`);
    });
  expect(unexplained).toEqual([]);
});

it('every page of the console that a guide sends its reader to is in the navigation', () => {
  const { pages } = messagesOf('console', 'en');
  const named = documents
    .filter(({ file }) => /^(README|docs\/(how-to|tutorial)\/)/.test(file))
    .flatMap(({ file, text }) =>
      [...withoutCodeBlocks(text).matchAll(/\bthe\s+_?([A-Z][a-z]+)_? page\b/g)].map(([, page = '']) => ({
        file,
        page,
      })),
    );
  expect(named.length).toBeGreaterThan(5);
  const known: readonly string[] = Object.values(pages);
  expect(named.filter(({ page }) => !known.includes(page))).toEqual([]);
});

it('the reference names what every audit action begins with', () => {
  const page = textOf('docs/reference/events.md');
  const kinds = new Set(AUDIT_ACTIONS.map((action) => `${action.split('.')[0]}.`));
  expect([...kinds].filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
});

it('the reference names every command', () => {
  const page = textOf('docs/reference/command-line.md');
  const commands = createProgram().commands.flatMap((group) =>
    group.commands.length === 0
      ? [group.name()]
      : group.commands.map((inner) => `${group.name()} ${inner.name()}`),
  );
  expect(commands.filter((command) => command !== 'help' && !page.includes(`\`${command}\``))).toEqual([]);
});

it('the reference names every setting that the server reads from the environment', () => {
  const page = textOf('docs/reference/settings.md');
  const read = [...textOf('server/config.ts').matchAll(/GATEHOUSE_[A-Z_]+/g)].map(([name]) => name);
  expect([...new Set(read)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the reference names every metric', () => {
  const page = textOf('docs/reference/metrics.md');
  const sources = readdirSync(path.join(ROOT, 'server/routes/console')).filter((file) =>
    file.startsWith('metrics'),
  );
  const metrics = sources.flatMap((file) => [
    ...textOf(`server/routes/console/${file}`).matchAll(/'((?:gatehouse|process)_[a-z_]+)'/g),
  ]);
  expect(metrics.length).toBeGreaterThan(5);
  expect(metrics.filter(([, name = '']) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the reference has the limits and lifetimes of the code', () => {
  const minutes = (ms: number) => `${ms / 60_000} minutes`;
  const count = (n: number) => n.toLocaleString('en');
  const shown: Record<string, readonly string[]> = {
    'docs/reference/limits.md': [
      `${count(MAX_UNOPENED)} for each company and partition`,
      `${OWN_CODES_PER_ADDRESS} an hour for each address, ${OWN_CODES_PER_NUMBER} for each number, ${OWN_CODES_PER_PREFIX} for each`,
      `choose have up to ${MAX_ID_LENGTH} characters, addresses and paths ${count(MAX_ADDRESS_CHARS)}, emails ${MAX_EMAIL_CHARS}, phone numbers ${MAX_PHONE_CHARS},`,
      `names from a fixed set ${MAX_NAME_CHARS}.`,
      `\`pass_params\` may have ${count(MAX_PASS_PARAMS_BYTES)} bytes and \`config\` ${count(MAX_CONFIG_BYTES)}.`,
      `| session | ${SESSION_LIFETIME_MS / 3_600_000} hours;`,
      `| result token (\`vyt\`) | ${minutes(TOKEN_LIFETIME_MS)} after`,
      `| \`vy_token\` of v2 | ${minutes(STATUS_TOKEN_LIFETIME_MS)} after`,
      `| phone code | ${minutes(CODE_LIFETIME_MS)}, ${CODE_TRIES} attempts, next one after ${RESEND_AFTER_MS / 1_000} seconds`,
      `| hand-off to a phone | ${minutes(HANDOFF_LIFETIME_MS)},`,
      `| link that continues in another browser | ${minutes(CONTINUATION_LIFETIME_MS)},`,
      `| kiosk pairing code | ${minutes(PAIRING_LIFETIME_MS)},`,
      `| claim on a review | ${minutes(LEASE_MS)},`,
      `| console session | ${minutes(IDLE_TIMEOUT_MS)} without`,
    ],
    'docs/how-to/receive-webhooks.md': [
      `within ${ATTEMPT_LIMIT_MS / 1_000} seconds`,
      `up to ${LONGEST_WAIT_MS / 3_600_000} h, ${MAX_ATTEMPTS} times in all`,
      `the ${MAX_ATTEMPTS}th attempt fails`,
    ],
    'docs/how-to/run-kiosks.md': [`silent for ${KIOSK_AWAY_AFTER_MS / 1_000} seconds`],
    'docs/reference/settings.md': [
      `| ${ATTACK_THRESHOLDS.standard} |`,
      `| ${ATTACK_THRESHOLDS.strict} |`,
      `0 to ${MAX_GUEST_PHOTO_DAYS} days after the event`,
    ],
  };
  const missing = Object.entries(shown).flatMap(([file, texts]) => {
    const page = textOf(file).replaceAll(/\s+/g, ' ');
    return texts.filter((text) => !page.includes(text)).map((text) => `${file}: ${text}`);
  });
  expect(missing).toEqual([]);
});

it('the reference names every webhook, and every result and reason in the words that staff read', () => {
  const page = textOf('docs/reference/events.md').replaceAll(/ +/g, ' ');
  expect(WEBHOOK_TYPES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const { names, reasons } = messagesOf('outcomes', 'en');
  const rows = [...SESSION_STATUSES.map((name) => [name, names[name]]), ...Object.entries(reasons)];
  expect(Object.keys(reasons).sort()).toEqual([...REASONS].sort());
  expect(rows.filter(([name, words]) => !page.includes(`| \`${name}\` | ${words} |`))).toEqual([]);
});

/** About ten minutes of reading. Reference pages are looked up, not read. */
const MOST_WORDS = 1_800;

it('every page can be read in one sitting', () => {
  const long = documents
    .filter(({ file }) => !/^(CHANGELOG|docs\/reference\/)/.test(file))
    .map(({ file, text }) => ({
      file,
      words: withoutCodeBlocks(text).match(/(?<=^|\s)\S*[a-z]\S*/gi)?.length ?? 0,
    }))
    .filter(({ words }) => words > MOST_WORDS);
  expect(long).toEqual([]);
});

/** Words that tell a measured figure from a limit or a setting, which need no source. */
const MEASURED =
  /\b(measured|medians?|p9[05]|quartile|processor time|load of|loads? from|took|gzipped|resident)\b/i;
const FIGURE = /\d[\d.,]*\s?(ms|µs|s|MiB|MB|kB|%)(?![\w%])|\d [\w ]*a second\b/;
const VERSION = /\bversion\s+\d+\.\d+\.\d+\b/i;
const SOURCE = /\bby\s+hand\b|`(npm run|node|npx) [^`]+`|^npm run (bench|evaluate|soak)\b/m;

it('every measured figure has its version and its command, in its section or at the top of its page', () => {
  const unsourced = documents
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(({ file, text }) => {
      const [top = '', ...sections] = text.split(/^(?=## )/m);
      return [top, ...sections]
        .filter((section) => {
          const isMeasured = withoutCodeBlocks(section)
            // A table belongs to the paragraph before it.
            .split(/\n\n(?!\|)|\n(?= *(?:-|\d+\.) )/)
            .some((block) => MEASURED.test(block) && FIGURE.test(block));
          if (!isMeasured) return false;
          return !SOURCE.test(section) || !(VERSION.test(section) || VERSION.test(top));
        })
        .map((section) => `${file}: ${section.split('\n', 1)[0] ?? ''}`);
    });
  expect(unsourced).toEqual([]);
});
