import { Type } from 'typebox';
import { KeptPapers, PAPERS, PaperView } from '../../console/papers.ts';
import { FileLanguage } from '../../languages.ts';
import { oneOf } from '../../schemas.ts';
import { MAX_NAME_CHARS } from '../../text-bounds.ts';
import type { ConsoleRoutes } from '../route.ts';

export const papers = {
  read: {
    method: 'GET',
    path: '/papers/:paper',
    role: 'admin',
    installationWide: true,
    summary: 'Write a privacy paper of the company from the settings in force',
    params: { paper: oneOf(PAPERS) },
    query: {
      ...FileLanguage,
      version: Type.Optional(
        Type.String({ maxLength: MAX_NAME_CHARS, description: 'A kept one, by its ID.' }),
      ),
    },
    reply: PaperView,
  },
  keep: {
    method: 'POST',
    path: '/papers/keep',
    role: 'admin',
    installationWide: true,
    summary: 'Keep what the privacy papers are written from now',
    reply: KeptPapers,
  },
} as const satisfies ConsoleRoutes;
