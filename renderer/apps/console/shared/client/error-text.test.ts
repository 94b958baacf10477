import { expect, test } from 'vitest';
import { messagesOf } from '../../../../../locales/node.ts';
import { CONSOLE_ERRORS, type ConsoleErrorMessages } from '../../../../../server/contract/console/errors.ts';
import { RequestError } from '../../../../http/request-error.ts';
import { LANGUAGES } from '../../../../i18n/language.ts';
import { errorText } from './error-text.ts';

const common = messagesOf('console', 'en');
// Does not compile if a code of the contract has no message, or its message has other arguments.
const english: ConsoleErrorMessages = messagesOf('errors', 'en');
const refused = (code: string, args?: object) =>
  errorText(new RequestError(code, { status: 409, facts: { args } }), english, common);

test.each(LANGUAGES)(
  'every refusal of the console has a sentence in %s, and no sentence is left over',
  (language) => {
    expect(Object.keys(messagesOf('errors', language)).sort()).toEqual(Object.keys(CONSOLE_ERRORS).sort());
  },
);

test('a refusal is shown as the sentence of its code, with its details', () => {
  expect(refused('pass_already_locked')).toBe('The pass is already locked.');
  expect(refused('case_held', { name: 'Ada' })).toBe('Ada has this case now. Take another one.');
});

test('an unknown error is shown as a failure of the server', () => {
  expect(refused('code_of_a_later_version')).toBe(common.errors.server);
  expect(refused('case_held')).toBe(common.errors.server);
  expect(errorText(new RequestError('offline'), undefined, common)).toBe(common.errors.unreachable);
});

test('a network that wants a sign-in is named, not called a failure of the server', () => {
  expect(errorText(new RequestError('portal'), undefined, common)).toBe(common.errors.portal);
});
