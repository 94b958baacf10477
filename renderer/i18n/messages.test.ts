import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../locales/compile.ts';
import { messagesOf } from '../../locales/node.ts';
import { dayInWords, durationInWords, LANGUAGES } from './language.ts';
import { keptFor, linesOf } from './messages.ts';

const organiser = 'Venue';

const wordsIn = (...texts: string[]): number =>
  texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

function consentText(language: string): string[] {
  const { consent } = messagesOf('hosted', language);
  return [
    consent.title,
    consent.whyTerm,
    consent.why({ organiser }),
    consent.keptTerm,
    consent.kept,
    consent.howLongTerm,
    keptFor(consent, '3 years'),
    consent.accept,
    consent.decline,
    consent.more,
  ];
}

/** Keys and messages, without the descriptions for translators. */
function sourceOf(catalogue: string, language: string): string {
  const file = new URL(`../../locales/${language}/${catalogue}.json`, import.meta.url);
  return JSON.stringify(Object.fromEntries(readCatalogue(readFileSync(file, 'utf8')).messages));
}

describe.each(LANGUAGES)('%s', (language) => {
  const hosted = messagesOf('hosted', language);
  const kiosk = messagesOf('kiosk', language);
  const my = messagesOf('my', language);

  test('asks for consent in at most 60 words', () => {
    expect(wordsIn(...consentText(language))).toBeLessThanOrEqual(60);
  });

  test('names a guest without a ticket alike at the door and in a review', () => {
    expect(messagesOf('reviews', language).walkUpGuest).toBe(messagesOf('door', language).walkUpGuest);
  });

  test('numbers the step, and says of how many', () => {
    expect(hosted.capture.progress({ number: 2, total: 3 })).toMatch(/^\p{L}+ 2 \p{L}+ 3$/u);
  });

  test('instructs in at most five words', () => {
    const { steps, hints, lookStraight, holdStill } = hosted.capture;
    for (const text of [...Object.values(steps), ...Object.values(hints), lookStraight, holdStill]) {
      expect(wordsIn(text), text).toBeLessThanOrEqual(5);
    }
  });

  test('before the camera starts, a kiosk says what, why, how long, how to erase and the alternative, briefly', () => {
    const { consent } = hosted;
    const duration = durationInWords(1095, language) ?? '';
    const date = dayInWords('2026-12-30T12:00:00.000Z', language);
    const { withPhoto, ofEvent } = messagesOf('event-consent', language).consent;
    const after = durationInWords(30, language) ?? '';
    for (const [most, ...kept] of [
      [60, consent.kept, keptFor(consent, duration)],
      [66, withPhoto.kept, withPhoto.howLong({ duration, date })],
      [64, ofEvent.kept, ofEvent.howLong({ duration: after })],
      [70, ofEvent.withPhoto.kept, ofEvent.withPhoto.howLong({ duration: after, date })],
    ] as const) {
      const { erase, instead } = kiosk.consent;
      const facts = [consent.why({ organiser }), ...kept, erase({ organiser }), instead].join(' ');
      expect(facts).toContain(organiser);
      expect(facts.split(/\s+/).length).toBeLessThanOrEqual(most);
    }
  });

  test('every hint and trouble of a kiosk has a title that fits a line', () => {
    for (const { title } of [...Object.values(kiosk.hints), ...Object.values(kiosk.trouble)]) {
      expect(title.length).toBeLessThanOrEqual(40);
      expect(title).not.toBe('');
    }
  });

  test('“my verifications” names the organiser in each question and each answer', () => {
    for (const { title, lines } of [my.confirmDisconnect, my.confirmErase]) {
      expect(title({ organiser })).toContain(organiser);
      expect(linesOf(lines, { organiser }).join(' ')).toContain(organiser);
    }
    expect(my.said.disconnected({ organiser })).toContain(organiser);
    expect(my.said.erased({ organiser })).toContain(organiser);
  });

  test('uses no technical term, and blames nobody', () => {
    for (const catalogue of ['hosted', 'kiosk', 'my', 'recording', 'event-consent']) {
      expect(sourceOf(catalogue, language)).not.toMatch(
        /liveness|collision|template|biometr|spoof(?!")|fraud/i,
      );
    }
  });
});

test.each([
  ['de', /(?<!\p{L})(du|dein\p{L}*|dich|dir)(?!\p{L})/iu],
  ['es', /(?<!\p{L})(tú|tu|tus|te|ti|tuy[oa]s?|contigo)(?!\p{L})/iu],
  ['fr', /(?<!\p{L})(tu|ton|ta|tes|toi|te)(?!\p{L})/iu],
] as const)('%s addresses people formally', (language, familiar) => {
  for (const catalogue of ['hosted', 'kiosk', 'my', 'recording', 'event-consent']) {
    expect(sourceOf(catalogue, language)).not.toMatch(familiar);
  }
});

test.each(LANGUAGES)('a result has one name where it is changed and where it is read, in %s', (language) => {
  const { names, decisions } = messagesOf('outcomes', language);
  const { actions, ask, decisions: overrides } = messagesOf('sessions', language);
  const { sentences } = messagesOf('audit', language);
  const overridden = (decision: string) => sentences.pass.override({ decision, actor: 'A', subject: 'S' });
  const without = (texts: readonly string[], name: string) =>
    texts.filter((text) => !text.toLowerCase().includes(name.toLowerCase()));
  const approved = [
    actions.approve,
    ask.approve.title({ who: 'A' }),
    overrides.approve,
    overridden('approve'),
  ];
  const denied = [actions.deny, ask.deny.title({ who: 'A' }), overrides.deny, overridden('deny')];
  const { same_person: refused, ...passed } = decisions;
  expect(without([...approved, ...Object.values(passed)], names.approved)).toEqual([]);
  expect(without([...denied, refused], names.denied)).toEqual([]);
});
