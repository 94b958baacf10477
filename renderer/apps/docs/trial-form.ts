/** The form that calls an operation on this server with a test key. */
import { recall, remember } from './memory.ts';
import {
  isProblem,
  prepareTrial,
  sendTrial,
  textField,
  type TrialAnswer,
  type TrialProblem,
} from './trial.ts';

const PROBLEMS: Readonly<Record<TrialProblem['kind'], string>> = {
  key_missing: 'Enter a test key: sk_test_… or pk_test_…, or ak_test_… for v1 and v2.',
  key_live:
    'This is a live key. It was not sent, because this page works on test data only. Use sk_test_… or pk_test_…, or ak_test_… for v1 and v2.',
  key_unsendable: 'This is not a valid key. It was not sent.',
  live_key_elsewhere: 'One of the fields contains a live key. Nothing was sent. Remove the key.',
  value_missing: 'Required. This value is part of the address.',
  not_json: 'This is not valid JSON. Nothing was sent.',
};
/** Replies fill them in where another operation takes them. */
const KEPT = ['token', 'webhook_id', 'message_id'];

export function startTrial(form: HTMLFormElement): void {
  const { method = '', path = '' } = form.dataset;
  const key = control(form, 'key');
  const keyName = `key ${path.slice(0, 3) === '/v3' ? 'v3' : 'v1 and v2'}`;
  const places = [...form.querySelectorAll<HTMLInputElement>('[data-place]')];
  const valuesIn = (place: string) =>
    Object.fromEntries(
      places.filter(({ dataset }) => dataset['place'] === place).map(({ name, value }) => [name, value]),
    );
  key.value = recall(keyName);
  for (const input of places) if (KEPT.includes(input.name)) input.value = recall(input.name);

  let isSending = false;
  const send = async () => {
    const trial = prepareTrial({
      key: key.value,
      method,
      path,
      pathValues: valuesIn('path'),
      queryValues: valuesIn('query'),
      body: form.querySelector('textarea')?.value ?? null,
    });
    for (const shown of form.querySelectorAll('.problem')) shown.textContent = '';
    for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
    if (isProblem(trial)) {
      const wrong = control(form, trial.field);
      wrong.setAttribute('aria-invalid', 'true');
      part(form, `#${trial.field}-problem`).textContent = PROBLEMS[trial.kind];
      wrong.focus();
      return;
    }
    remember(keyName, key.value.trim());
    show(form, 'Waiting for the response…', '');
    try {
      const answer = await sendTrial(trial, {
        fetch: (url, init) => fetch(url, init),
        nowMs: () => performance.now(),
      });
      for (const name of KEPT) {
        const value = textField(answer.json, name);
        if (value !== null) remember(name, value);
      }
      show(form, `${answer.status} ${answer.name} · ${answer.durationMs} ms`, answer.text);
      form.dataset['outcome'] = answer.status < 400 ? 'passed' : 'refused';
      showNext(part(form, '.result__next'), answer);
    } catch {
      show(form, 'No response. Check that the server is running.', '');
      form.dataset['outcome'] = 'refused';
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    void send().finally(() => {
      isSending = false;
    });
  });
}

const control = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement;
const part = (form: HTMLFormElement, selector: string) => form.querySelector(selector) as HTMLElement;

function show(form: HTMLFormElement, status: string, body: string): void {
  delete form.dataset['outcome'];
  part(form, '.result__status').textContent = status;
  part(form, '.result__body code').textContent = body;
  part(form, '.result__next').replaceChildren();
}

/** What to do with the reply. */
function showNext(place: HTMLElement, { json }: TrialAnswer): void {
  const link = textField(json, 'url');
  if (textField(json, 'token') !== null)
    place.textContent = 'The token is filled in where an operation takes one.';
  else if (textField(json, 'session_id') !== null && link !== null) {
    const anchor = Object.assign(document.createElement('a'), {
      href: link,
      target: '_blank',
      rel: 'noreferrer',
      textContent: 'Open the hosted page (new tab)',
    });
    place.replaceChildren(anchor);
  }
}
