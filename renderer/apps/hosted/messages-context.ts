/** The words and language of the page, for every component below. */
import { createContext, useContext } from 'react';
import { en } from '../../i18n/en.ts';
import type { Language } from '../../i18n/language.ts';
import type { Messages } from '../../i18n/messages.ts';

export type Words = { messages: Messages; language: Language };

export const WordsContext = createContext<Words>({ messages: en, language: 'en' });

export const useWords = (): Words => useContext(WordsContext);
