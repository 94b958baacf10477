import { expect, test } from 'vitest';
import { loggedError, loggedUserAgent, loggedVersion, withoutSecrets } from './page-error.ts';

test.each([
  ['an address', 'Failed to fetch https://door.example/verification?vys=vs_12 now', 'Failed to fetch … now'],
  ['a path with a query', 'GET /flow/sessions/vs_1?t=dt_2 failed', 'GET … failed'],
  ['a token', 'bad token vyt_AbCdEf0123456789AbCdEf', 'bad token …'],
  ['an id', 'no run 0198f7a2-6c1e-7000-8000-0123456789ab', 'no run …'],
  ['an email', 'no guest ada.l@example.org', 'no guest …'],
  ['a phone number', 'cannot call +49 (151) 234 567', 'cannot call …'],
  ['an IP address', 'refused 192.168.1.20 and fe80::1', 'refused … and …'],
  ['a line break', 'one\n{"level":50}', 'one {"level":50}'],
])('%s is removed from the log', (_what, text, left) => {
  expect(withoutSecrets(text, 300)).toBe(left);
});

test('an error keeps the details that a developer needs', () => {
  expect(
    loggedError({
      name: 'TypeError',
      message: "URL.parse is not a function. (In 'URL.parse(e)', 'URL.parse' is undefined)",
      stack: [
        'TypeError: at https://door.example/verification?vys=secret',
        '    at safe (https://door.example/assets/hosted/index-DtTde-qT.js:9:1201)',
        'render@http://192.168.1.5:4000/assets/hosted/index-DtTde-qT.js:2:7',
        '    at https://door.example/verification?vys=secret:1:2',
        'x@https://evil.example/secret.js:1:1',
      ].join('\n'),
    }),
  ).toEqual({
    name: 'TypeError',
    message: "URL.parse is not a function. (In 'URL.parse(e)', 'URL.parse' is undefined)",
    frames: ['safe hosted/index-DtTde-qT.js:9:1201', 'render hosted/index-DtTde-qT.js:2:7'],
  });
});

test('the logged text is limited in length', () => {
  const frame = 'f@https://h/assets/hosted/a.js:1:1';
  const logged = loggedError({
    name: 'x'.repeat(99),
    message: 'word '.repeat(999),
    stack: Array(99).fill(frame).join('\n'),
  });
  expect(logged.name).toBe('Error');
  expect(logged.message).toHaveLength(300);
  expect(logged.frames).toHaveLength(10);
  expect(loggedUserAgent('a'.repeat(999))).toHaveLength(300);
  expect(loggedVersion('<script>')).toBe('unknown');
});
