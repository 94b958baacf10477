import { expect, test } from 'vitest';
import { messagesOf } from '../../../../locales/node.ts';
import { LANGUAGES } from '../../../i18n/language.ts';

test.each(LANGUAGES)('a section of the settings and its panel have the same title, in %s', (language) => {
  const words = messagesOf('settings', language);
  const { sections } = words;
  for (const id of [
    'retention',
    'matching',
    'sms',
    'oidc',
    'maintenance',
    'backups',
    'updates',
    'languages',
    'appearance',
  ] as const)
    expect(words[id].title).toBe(sections[id]);
});
