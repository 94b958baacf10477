/** Addresses that the SDK parses and creates. Pure, so that they can be tested without a page. */
import { parseUrl, EMBED_QUERY, type Display, type ResultCode } from '../../embed/protocol.ts';
import type { CheckResult } from './gatehouse.d.ts';

/** `https://verify.example.org/sdk/gatehouse.js` → `https://verify.example.org`; null for any other script address. */
export function baseOfScript(scriptUrl: string | null | undefined): string | null {
  return /^(https?:\/\/.+)\/sdk\/gatehouse(\.iife)?\.js([?#].*)?$/.exec(scriptUrl ?? '')?.[1] ?? null;
}

/** A base URL without a trailing slash, which would double in a path; null if it is invalid. */
export function normaliseBase(text: string): string | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Names of the result in an address. */
const RESULT_KEYS: readonly string[] = ['vyt', 'vyc'];

/** Removes the result from an address. Everything else stays byte for byte. */
export function takeResult(address: string): { result: CheckResult | null; address: string } {
  const url = new URL(address);
  const vyt = url.searchParams.get('vyt') || null;
  const code = url.searchParams.get('vyc');
  // Without a token, an address may say that the person was not approved, but nothing else.
  if (vyt === null && code !== '0') return { result: null, address };
  const vyc = code === '1' ? '1' : '0';
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => !RESULT_KEYS.includes(part.split('=')[0] ?? ''))
    .join('&');
  return { result: resultOf(vyt, vyc), address: url.href };
}

export type HostedLinkOptions = {
  session: string;
  email?: string | undefined;
  phone?: string | undefined;
  embed?: { origin: string; display: Display };
};

/** The hosted page of a session, for a redirect or for a frame. */
export function hostedLink(base: string, { session, email, phone, embed }: HostedLinkOptions): string {
  const query = new URLSearchParams({ vys: session });
  if (embed) {
    query.set(EMBED_QUERY.embed, '1');
    query.set(EMBED_QUERY.origin, embed.origin);
    query.set(EMBED_QUERY.display, embed.display);
    query.set(EMBED_QUERY.resume, '1');
  }
  if (email) query.set(EMBED_QUERY.email, email);
  if (phone) query.set(EMBED_QUERY.phone, phone);
  return `${base}/verification?${query.toString()}`;
}

export const NO_RESULT: CheckResult = Object.freeze({ token: null, vyt: null, verified: false, vyc: null });

export const resultOf = (vyt: string | null, vyc: ResultCode): CheckResult => ({
  token: vyt,
  vyt,
  verified: vyc === '1',
  vyc,
});
