import type { KeyPair } from '../../../../server/contract/console/keys.ts';

/** A pair by its keys' display forms, secret or API-KEY last: the part that its owner would recognise. */
export const pairName = ({ keys }: Pick<KeyPair, 'keys'>): string =>
  keys.map(({ display }) => display).join(' + ');

export const isWorking = ({ state }: Pick<KeyPair, 'state'>): boolean =>
  state === 'active' || state === 'ending';
