/** `/sdk/gatehouse.js`: for `import` and for bundlers. */
import { createSdk } from './sdk.ts';

export const { init, vycheck, vyget } = createSdk(import.meta.url);
export { GatehouseError } from './session.ts';
