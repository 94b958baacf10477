import type { OverlapWords } from './en.ts';

export const fr: OverlapWords = {
  label: 'L’ancien reste valable',
  now: 'Il s’arrête tout de suite',
  '1h': '1 heure',
  '24h': '24 heures',
  '7d': '7 jours',
  left: 'restants',
};
