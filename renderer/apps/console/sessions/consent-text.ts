/** The consent text of a session, as the guest read it. */
import type { SessionDetail } from '../../../../server/contract/console/sessions.ts';
import { isLanguage } from '../../../../server/contract/languages.ts';
import { durationInWords } from '../../../i18n/language.ts';
import { longDay } from '../shared/time/time.ts';

type Consent = NonNullable<SessionDetail['consent']>;

/**
 * The messages with the periods that were recorded with the consent, in its language.
 * @param gaps names what differed from guest to guest and was not recorded; shown in brackets
 */
export function consentAsRead(
  { text, language, retention_days, faces_days, photo_until: photoUntil }: Consent,
  gaps: Readonly<Record<string, string>>,
): string[] {
  const recorded: Record<string, string> = {};
  const days = faces_days ?? retention_days;
  if (language !== null && isLanguage(language)) {
    if (days !== null) recorded['duration'] = durationInWords(days, language) ?? '';
    // Where the guest was: the zone of their own device is not recorded.
    if (photoUntil !== null) recorded['date'] = longDay(photoUntil, language);
  }
  return (text ?? []).map((message) =>
    message.replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => recorded[name] ?? (name in gaps ? `[${gaps[name]}]` : whole),
    ),
  );
}
