import type { OverlapWords } from './en.ts';

export const de: OverlapWords = {
  label: 'Das Alte gilt noch',
  now: 'Es endet sofort',
  '1h': '1 Stunde',
  '24h': '24 Stunden',
  '7d': '7 Tage',
  left: 'übrig',
};
