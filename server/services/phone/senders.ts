/** Senders of codes (decisions §6): any SMS gateway by a URL template, or Twilio. */
import type { CodeSender } from './codes.ts';

const TIMEOUT_MS = 15_000;

/** The gateway answered with an error. */
export class GatewayRefusal extends Error {
  /** Of its HTTP reply. */
  readonly status: number;
  constructor(status: number) {
    super(`The SMS gateway answered ${status}.`);
    this.name = 'GatewayRefusal';
    this.status = status;
  }
}

async function request(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new GatewayRefusal(response.status);
}

/** GETs a URL in which `{to}` and `{text}` are replaced with the number and the message. */
export function httpSender(urlTemplate: string): CodeSender {
  return {
    send: (number, text) =>
      request(
        urlTemplate
          .replaceAll('{to}', encodeURIComponent(number))
          .replaceAll('{text}', encodeURIComponent(text)),
        { method: 'GET' },
      ),
  };
}

type TwilioAccount = { accountSid: string; authToken: string; from: string; apiUrl: string };

/** Twilio's Messages resource. */
export function twilioSender({ accountSid, authToken, from, apiUrl }: TwilioAccount): CodeSender {
  const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    send: (number, text) =>
      request(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ To: number, From: from, Body: text }).toString(),
      }),
  };
}
