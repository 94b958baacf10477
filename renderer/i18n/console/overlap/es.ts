import type { OverlapWords } from './en.ts';

export const es: OverlapWords = {
  label: 'Lo anterior sigue valiendo',
  now: 'Deja de valer ya',
  '1h': '1 hora',
  '24h': '24 horas',
  '7d': '7 días',
  left: 'restantes',
};
