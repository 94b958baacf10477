import { expect, test } from 'vitest';
import { messagesOf } from '../../../../locales/node.ts';
import { AUDIT_ACTIONS } from '../../../../server/contract/console/audit.ts';
import { LANGUAGES } from '../../../i18n/language.ts';
import { ACTOR_MARK, sentenceOf, SUBJECT_MARK } from './sentence.ts';

test.each(LANGUAGES)('every action of the audit log is a sentence in %s', (language) => {
  const words = messagesOf('audit', language);
  for (const action of AUDIT_ACTIONS) {
    const sentence = sentenceOf({ action, details: {} }, words);
    expect(sentence, action).not.toBe('');
    expect(sentence, action).not.toContain(action);
  }
});

const said = (action: string, details = {}) =>
  sentenceOf({ action, details }, messagesOf('audit', 'en'))
    .replace(ACTOR_MARK, 'Anna')
    .replace(SUBJECT_MARK, 'Main');

test('a sentence names the actor, the action and the important details', () => {
  expect(said('key.roll')).toBe('Anna rolled the keys Main');
  expect(said('operator.rename', { from: 'Bo', to: 'Ben' })).toBe('Anna renamed the operator Bo to Ben');
  expect(said('limit.set', { from: 100, to: null })).toBe('Anna removed the daily cap of Main');
  expect(said('operator.sign_in_failed', { count: 3 })).toBe('A sign-in failed: Main (3 more times)');
});

test('an action of another version is shown by its code', () => {
  expect(said('moon.land')).toBe('Anna did “moon.land”');
});
