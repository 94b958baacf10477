/** `/sdk/gatehouse.iife.js`: for a plain script tag; everything is under the global `Gatehouse`. */
import { createSdk } from './sdk.ts';

const script = document.currentScript;

export const { init, vycheck, vyget } = createSdk(script instanceof HTMLScriptElement ? script.src : null);
export { GatehouseError } from './session.ts';
