/** How long what is replaced goes on working. */
export const en = {
  label: 'The old one works for another',
  now: 'It stops now',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  left: 'left',
};

export type OverlapWords = typeof en;
