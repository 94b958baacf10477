import { expect, test } from 'vitest';
import { messagesOf } from '../../../../locales/node.ts';
import { AUDIT_ACTIONS } from '../../../../server/contract/console/audit.ts';
import { LANGUAGES } from '../../../i18n/language.ts';
import { actionsNamed, actorNamed, AREAS, sentenceOf } from './sentence.ts';

const NAMES = { actor: 'Anna', subject: 'Main' };

test.each(LANGUAGES)('every action of the audit log is a sentence in %s', (language) => {
  const words = messagesOf('audit', language);
  for (const action of AUDIT_ACTIONS) {
    const sentence = sentenceOf({ action, details: {} }, words, NAMES);
    expect(sentence, action).not.toBe('');
    expect(sentence, action).not.toContain(action);
  }
});

const said = (action: string, details = {}) =>
  sentenceOf({ action, details }, messagesOf('audit', 'en'), NAMES);

test('a sentence names the actor, the action and the important details', () => {
  expect(said('key.roll')).toBe('Anna rolled the keys Main');
  expect(said('operator.rename', { from: 'Bo', to: 'Ben' })).toBe('Anna renamed the operator Bo to Ben');
  expect(said('limit.set', { from: 100, to: null })).toBe('Anna removed the daily cap of Main');
  expect(said('operator.sign_in_failed', { count: 3 })).toBe('A sign-in failed: Main (3 more times)');
});

test('an action of another version is shown by its code', () => {
  expect(said('moon.land')).toBe('Anna did “moon.land”');
});

test('an assigned case says to whom', () => {
  const words = messagesOf('audit', 'en');
  const line = { action: 'review.assign', details: { to: '0199-ben' }, to_name: 'Ben' };
  expect(sentenceOf(line, words, NAMES)).toMatch(/assigned the case .* to Ben$/);
});

test.each([
  ['en', 'assigned', 'review.assign'],
  ['de', 'gelöscht', 'person.erase'],
  ['en', 'webhook', 'webhook_call.rerun'],
] as const)('a plain word finds the actions whose sentence has it, in %s: %s', (language, word, action) => {
  expect(actionsNamed(word, messagesOf('audit', language)).split(',')).toContain(action);
});

test('a code, its start and an unknown word stay as they are', () => {
  const words = messagesOf('audit', 'en');
  for (const text of ['operator.*', 'moon.land', 'zzz']) expect(actionsNamed(text, words)).toBe(text);
  expect(actorNamed('command line', words)).toBe('cli');
  expect(actorNamed('Anna', words)).toBe('Anna');
});

test.each(LANGUAGES)(
  'the offered areas hold every action once, and have names of their own, in %s',
  (language) => {
    const words = messagesOf('audit', language);
    expect(new Set(AREAS.map((area) => words.areas[area])).size).toBe(AREAS.length);
    const patterns = AREAS.flatMap((area) => actionsNamed(words.areas[area], words).split(','));
    for (const action of AUDIT_ACTIONS)
      expect(
        patterns.filter((pattern) => action.startsWith(pattern.replace('*', ''))),
        action,
      ).toHaveLength(1);
  },
);
