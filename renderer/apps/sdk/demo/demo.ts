/** Uses the SDK as an organiser's page would, and shows the result. */
import { GatehouseError, vycheck, vyget } from '../esm.ts';
import type { CheckOptions, CheckResult } from '../gatehouse.d.ts';

const element = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`The page lacks ${selector}.`);
  return found;
};

const form = element<HTMLFormElement>('#form');
const outcome = element('#outcome');

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

function optionsOf(data: FormData): CheckOptions {
  const key = textOf(data, 'key');
  const whose = key.startsWith('pk_') ? { publishableKey: key } : { session: key };
  switch (textOf(data, 'as')) {
    case 'redirect':
      return { ...whose, mode: 'redirect' };
    case 'inline':
      return { ...whose, mode: 'iframe', display: 'inline', inlineHeight: 'auto', container: '#place' };
    default:
      return { ...whose, mode: 'iframe', display: 'drawer' };
  }
}

function showSource(): void {
  const script = import.meta.url.replace(/[^/]*$/, 'gatehouse.js');
  const options = JSON.stringify(optionsOf(new FormData(form)), null, 2).replaceAll(/"(\w+)":/g, '$1:');
  element('#source').textContent =
    `import { vycheck } from '${script}';\n\nconst { token } = await vycheck(${options});`;
}

function show(lines: object): void {
  outcome.textContent = JSON.stringify(lines, null, 2);
}

function showResult(result: CheckResult): void {
  show(result);
  if (result.token === null) return;
  element<HTMLElement>('#next').hidden = false;
  element('#confirm').textContent = `GET /v3/confirmations/${result.token}`;
}

form.addEventListener('input', showSource);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  outcome.textContent = 'The check is open.';
  element<HTMLElement>('#next').hidden = true;
  vycheck(optionsOf(new FormData(form))).then(showResult, (error: unknown) => {
    if (error instanceof GatehouseError) show({ error: error.code, detail: error.detail });
    else throw error;
  });
});

showSource();
const returned = vyget();
if (returned.token !== null) showResult(returned);
