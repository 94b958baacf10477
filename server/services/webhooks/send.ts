/** One attempt at one receiver: a POST over its own socket, to an address that is checked on connecting. */
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { lookup, Resolver } from 'node:dns/promises';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import {
  type DestinationPolicy,
  isLoopbackHost,
  isPublicAddress,
  judgeDestination,
  normaliseHost,
} from '../../domain/webhooks/destination.ts';
import type { AttemptResult } from '../../store/webhooks/outbox.ts';
import { failureMessage, failureText, RefusedAddressError } from './failure-message.ts';

/** From resolving the name to the status of the response (decisions §4.9). */
export const ATTEMPT_LIMIT_MS = 15_000;
/** How much of a response is kept, decompressed; the rest is not read. */
const KEPT_RESPONSE_BYTES = 20_000;
/** How much of a compressed response is read: one can be endless and say nothing. */
const READ_RESPONSE_BYTES = 256 * 1024;
const USER_AGENT = 'Gatehouse-Webhooks/1';

export type SendRequest = {
  url: string;
  /** POST by default. */
  method?: 'GET' | 'POST' | 'DELETE';
  /** How much of the response is kept, if it is more than a webhook's. */
  maxResponseBytes?: number;
  body: Uint8Array;
  /** Those that sign it. */
  headers: Readonly<Record<string, string>>;
  /** This machine may be the receiver: a test call of v3. What it answers is not kept. */
  mayBeLoopback?: boolean;
};

export type SendOptions = DestinationPolicy & {
  /** Ends the attempt early. */
  signal: AbortSignal;
  limitMs?: number;
  /** Replaces the system's name servers in tests. */
  resolve?: ResolveHost;
};

/** The outcome; `retryAfter` is the header as received. Never rejects. */
export type SendResult = AttemptResult & {
  retryAfter: string | undefined;
  responseHeaders?: http.IncomingHttpHeaders;
};

export async function sendWebhook(request: SendRequest, options: SendOptions): Promise<SendResult> {
  const startedMs = performance.now();
  const ended = (result: Omit<SendResult, 'durationMs'>): SendResult => ({
    ...result,
    durationMs: Math.round(performance.now() - startedMs),
  });
  const judged = judgeDestination(request.url, options, request.mayBeLoopback);
  if ('refusal' in judged) return ended(failed(failureText('REFUSED_DESTINATION', judged.refusal)));
  return ended(await post(judged.url, request, options));
}

const failed = (networkFailure: string): Omit<SendResult, 'durationMs'> => ({
  httpStatus: null,
  responseBody: null,
  networkFailure,
  retryAfter: undefined,
});

function post(
  url: URL,
  { body, headers, method = 'POST', maxResponseBytes, mayBeLoopback = false }: SendRequest,
  options: SendOptions,
): Promise<Omit<SendResult, 'durationMs'>> {
  const keptLimit = maxResponseBytes ?? KEPT_RESPONSE_BYTES;
  const readLimit = Math.max(READ_RESPONSE_BYTES, keptLimit);
  const limitMs = options.limitMs ?? ATTEMPT_LIMIT_MS;
  // A key must not read what other programs on this machine answer.
  const isUnseen = isLoopbackHost(url.hostname) && !options.allowHosts.has(normaliseHost(url.hostname));
  return new Promise((resolve) => {
    let response: http.IncomingMessage | null = null;
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let isOver = false;
    let decoder: Transform | undefined;

    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      // A new socket each time: an address is checked when it is connected to, and never reused.
      agent: false,
      lookup: checkedLookup(options, mayBeLoopback),
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'accept-encoding': 'identity',
        'user-agent': USER_AGENT,
        ...headers,
      },
    });
    const end = (failure: string | null) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      options.signal.removeEventListener('abort', stop);
      request.destroy();
      decoder?.destroy();
      if (!response) {
        resolve(failed(failure ?? failureText('NO_RESPONSE')));
        return;
      }
      resolve({
        httpStatus: response.statusCode ?? null,
        responseBody: isUnseen ? null : decode(Buffer.concat(kept).subarray(0, keptLimit)),
        networkFailure: failure,
        retryAfter: response.headers['retry-after'],
        responseHeaders: response.headers,
      });
    };
    const stop = () => end(failureText('STOPPED'));
    const timer = setTimeout(() => end(failureText('TIMEOUT', `${limitMs / 1_000} s`)), limitMs);
    options.signal.addEventListener('abort', stop, { once: true });

    request.on('error', (error) => end(failureMessage(error)));
    request.on('close', () => {
      if (!decoder) end(null);
    });
    request.on('upgrade', (answer, socket) => {
      response = answer;
      socket.destroy();
      end(null);
    });
    request.on('response', (answer) => {
      response = answer;
      decoder = DECODERS[answer.headers['content-encoding']?.trim().toLowerCase() ?? '']?.();
      const plain = decoder ? answer.pipe(decoder) : answer;
      const sent: Buffer[] = [];
      let readBytes = 0;
      answer.on('data', (chunk: Buffer) => {
        if (decoder && readBytes < keptLimit) sent.push(chunk);
        readBytes += chunk.length;
        if (readBytes >= readLimit) end(null);
      });
      plain.on('data', (chunk: Buffer) => {
        kept.push(chunk);
        keptBytes += chunk.length;
        if (keptBytes >= keptLimit) end(null);
      });
      plain.on('end', () => end(null));
      answer.on('error', (error) => end(failureMessage(error)));
      // The receiver has taken the call, however it says so: as much as could be read, else the bytes as they came.
      decoder?.on('error', () => {
        if (keptBytes === 0) kept.push(...sent);
        end(null);
      });
    });
    if (options.signal.aborted) stop();
    else request.end(body);
  });
}

/** Some receivers compress although the request does not accept it. Each decoder gives its output piece by piece. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * The socket connects only to addresses returned here, which are checked now and not when the destination was saved.
 */
function checkedLookup(
  { allowHosts, ownAddresses, resolve }: SendOptions,
  mayBeLoopback: boolean,
): LookupFunction {
  return (host, { all }, callback) => {
    const isAllowed = allowHosts.has(normaliseHost(host));
    const isLocal = !isAllowed && mayBeLoopback && isLoopbackHost(host);
    const addressesOf = resolve ?? (isAllowed || isLocal ? resolveBySystem : resolveHost);
    const isFit = (address: string) =>
      isLocal ? isLoopbackHost(address) : isPublicAddress(address, ownAddresses);
    addressesOf(host).then(
      (addresses) => {
        const refused = isAllowed ? undefined : addresses.find((address) => !isFit(address));
        const [first] = addresses;
        if (refused !== undefined || first === undefined) {
          callback(new RefusedAddressError(host, refused ?? 'no address'), []);
        } else if (all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, first, isIP(first));
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), []);
      },
    );
  };
}

/** A character cut in half is left out. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

// Resolves names, so that a dead name server does not delay other deliveries.

/** Every address of a name, as text. Rejects if there is none. */
type ResolveHost = (host: string) => Promise<string[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** The name server answered that there is no such record. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks the name servers directly, because the system's look-up shares two threads, which two dead names would block.
 * If they know no such name, it may be in the hosts file or on the local network, so the system is asked.
 */
const resolveHost: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failure = answers.find(
    (answer) => answer.status === 'rejected' && !NO_SUCH_NAME.has(codeOf(answer.reason)),
  );
  if (failure?.status === 'rejected') throw failure.reason;
  return resolveBySystem(host);
};

/** The resolver of all other programs on this machine. */
const resolveBySystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

function codeOf(reason: unknown): string {
  return reason instanceof Error && 'code' in reason ? String(reason.code) : '';
}
