/** Words about tickets, loaded only where an event has some. */
import { use } from 'react';
import type { Compiled } from '../../../locales/compile.ts';
import type { TicketsMessages } from '../../../locales/types/tickets.ts';
import { createCatalogueLoader } from '../../i18n/catalogues.ts';
import type { Language } from '../../i18n/language.ts';

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../locales/{en,es,fr,de}/tickets.json', { import: 'default' }),
);

/** Suspends until they are there. */
export const useTicketWords = (language: Language): TicketsMessages => use(loader.load('tickets', language));
