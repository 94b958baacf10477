/** Words of the door team's page. */
import { useContext } from 'react';
import type { Compiled } from '../../../../locales/compile.ts';
import type { ScanMessages } from '../../../../locales/types/scan.ts';
import type { TicketsMessages } from '../../../../locales/types/tickets.ts';
import { createCatalogueLoader } from '../../../i18n/catalogues.ts';
import type { Language } from '../../../i18n/language.ts';
import { loadWords, type Words, WordsContext } from '../messages-context.ts';

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../../locales/{en,es,fr,de}/{scan,tickets}.json', { import: 'default' }),
);

export type ScanWords = Words & { scan: ScanMessages; tickets: TicketsMessages };

export async function loadScanWords(language: Language): Promise<ScanWords> {
  const [words, scan, tickets] = await Promise.all([
    loadWords(language),
    loader.load('scan', language),
    loader.load('tickets', language),
  ]);
  return { ...words, scan, tickets };
}

export function useScanWords(): ScanWords {
  const words = useContext(WordsContext);
  if (words === null || !('scan' in words)) throw new Error('outside the page’s words');
  return words as ScanWords;
}
