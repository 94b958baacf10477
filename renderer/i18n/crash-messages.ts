/** Messages of the crash notice: in each page’s first script, because a page that has crashed cannot load anything. */
import { byLanguage } from '../../locales/inline.ts';
import type { CrashMessages } from '../../locales/types/crash.ts';
import type { Language } from '../../server/contract/languages.ts';

export const CRASH_MESSAGES = byLanguage(
  import.meta.glob<CrashMessages>('../../locales/*/crash.json', { eager: true, import: 'default' }),
) as Record<Language, CrashMessages>;
