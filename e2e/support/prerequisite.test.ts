import { expect, test, vi } from 'vitest';
import { prerequisite } from './prerequisite.ts';

const hooks = () => ({ skip: vi.fn(), beforeAll: vi.fn() });

test('tests whose prerequisite is missing are skipped, and fail in continuous integration', () => {
  const present = hooks();
  prerequisite(null, present, { CI: 'true' });
  expect([present.skip, present.beforeAll].map((hook) => hook.mock.calls)).toEqual([[], []]);

  const atHome = hooks();
  prerequisite('Go is not installed.', atHome, {});
  expect(atHome.skip).toHaveBeenCalledExactlyOnceWith(true, 'Go is not installed.');

  const inCi = hooks();
  prerequisite('Go is not installed.', inCi, { CI: 'true' });
  expect(inCi.skip).not.toHaveBeenCalled();
  const [[fail] = []] = inCi.beforeAll.mock.calls as [() => void][];
  expect(fail).toThrow('Go is not installed.');
});
