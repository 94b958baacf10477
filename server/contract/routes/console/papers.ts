import { PAPERS, PaperView } from '../../console/papers.ts';
import { FileLanguage } from '../../languages.ts';
import { oneOf } from '../../schemas.ts';
import type { ConsoleRoutes } from '../route.ts';

export const papers = {
  read: {
    method: 'GET',
    path: '/papers/:paper',
    role: 'admin',
    installationWide: true,
    summary: 'Write a privacy paper of the company from the settings in force',
    params: { paper: oneOf(PAPERS) },
    query: FileLanguage,
    reply: PaperView,
  },
} as const satisfies ConsoleRoutes;
