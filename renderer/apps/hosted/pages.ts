/** The pages beside the check. Few people open them, so their code is loaded on demand. */
import type { ReactNode } from 'react';
import type { LanguageOffer } from '../../../server/contract/languages.ts';
import type { Language } from '../../i18n/language.ts';
import type { OtherPage } from '../../flow/link.ts';
import { loadPart } from '../../http/load-part.ts';

export async function open(name: OtherPage, offer: LanguageOffer, language: Language): Promise<ReactNode> {
  if (name === 'scan') return (await loadPart(() => import('./scan/ScanApp.tsx'))).scanPage(offer, language);
  if (name === 'ticket')
    return (await loadPart(() => import('./ticket/TicketApp.tsx'))).ticketPage(offer, language);
  return (await loadPart(() => import('./my/MyApp.tsx'))).myPage(offer, language);
}
