/** The sentence of a failed request in the console’s language, found by the refusal’s code. */
import { useEffect, useState } from 'react';
import type { ConsoleMessages } from '../../../../../locales/types/console.ts';
import type {
  ConsoleErrorCode,
  ConsoleErrorMessages,
} from '../../../../../server/contract/console/errors.ts';
import { RequestError } from '../../../../http/request-error.ts';
import { loadedMessages, loadMessages, useCommonWords, useLanguage } from '../words.tsx';

/** @param messages undefined while they are being loaded */
export function errorText(
  error: unknown,
  messages: ConsoleErrorMessages | undefined,
  { errors }: Pick<ConsoleMessages, 'errors'>,
): string {
  if (!(error instanceof RequestError)) return errors.server;
  if (error.code === 'portal') return errors.portal;
  if (error.status === 0) return errors.unreachable;
  const { code, facts, status } = error;
  if (messages === undefined || !Object.hasOwn(messages, code)) {
    return status === 429 ? errors.busy : errors.server;
  }
  const message = messages[code as keyof ConsoleErrorMessages] as string | ((args: object) => string);
  if (typeof message === 'string') return message;
  try {
    return message(facts['args'] ?? {});
  } catch {
    // A server of another version may send other arguments.
    return errors.server;
  }
}

/** Like the sentence of a failed request, for a code in a reply. */
export function useCodeText(): (code: ConsoleErrorCode) => string {
  const textOf = useErrorText();
  return (code) => textOf(new RequestError(code, { status: 409 }));
}

/** The sentences are loaded when a page first needs one. */
export function useErrorText(): (error: unknown) => string {
  const common = useCommonWords();
  const { language } = useLanguage();
  const [, setReady] = useState<string>();
  useEffect(() => {
    loadMessages('errors', language).then(
      () => setReady(language),
      () => undefined,
    );
  }, [language]);
  return (error) => errorText(error, loadedMessages('errors', language), common);
}
