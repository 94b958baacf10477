/**
 * Tells the other nodes what a commit announced, by LISTEN and NOTIFY. It is sent after the commit, so it is lost with the
 * connection; once that is back, everything counts as announced.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedClient } from './client.ts';
import { within } from './silence.ts';
import { type Announcement, EVERYTHING } from '../followers.ts';
import { TOPICS } from '../port.ts';

const CHANNEL = 'gatehouse';
/** PostgreSQL allows 8,000 bytes. An announcement is a topic, a hash and the ID of a page. */
const MOST_AT_ONCE = 50;
const RECONNECT_MS = 500;
/** Nothing arrives on a connection that died silently, so it is asked. */
const ASK_MS = 5_000;
const ANSWER_MS = 3_000;
/** PostgreSQL keeps no messages for a node that has been stopped for this long. */
export const LISTENING = 'SET idle_session_timeout = 30000;';

type Bus = {
  /** Tells the other nodes; resolves when PostgreSQL has accepted it, or cannot be reached. */
  send: (announcements: readonly Announcement[]) => Promise<void>;
  /** Starts listening. Resolves once it does; retries in the background if the connection breaks. */
  listen: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * @param open opens the connection that listens
 * @param notify sends a message on a channel
 * @param receive called with the announcements of other nodes
 */
export function createBus(
  open: () => Promise<WatchedClient>,
  notify: (channel: string, message: string) => Promise<void>,
  receive: (announcements: readonly Announcement[]) => void,
): Bus {
  const self = randomUUID();
  let listening: WatchedClient | undefined;
  let starting: Promise<void> | undefined;
  let isClosed = false;
  const outgoing: Announcement[] = [];
  let sending: Promise<void> | undefined;
  /** A message was lost, and so may have been others. */
  let owesAll = false;

  /** Nothing if the message is this node's own, or one of another version that this one does not understand. */
  function announcedByOthers(message: string): Announcement[] {
    try {
      const [sender, announcements] = JSON.parse(message) as [string, Announcement[]];
      return sender === self ? [] : announcements.filter(({ topic }) => TOPICS.includes(topic));
    } catch {
      return [];
    }
  }

  /** Later announcements wait for the current message, and go together with the next one. */
  async function sendAll(): Promise<void> {
    while (outgoing.length > 0) {
      const message = JSON.stringify([self, outgoing.splice(0, MOST_AT_ONCE)]);
      await notify(CHANNEL, message).catch(() => {
        owesAll = true;
      });
    }
    sending = undefined;
  }

  function send(announcements: readonly Announcement[]): Promise<void> {
    outgoing.push(...announcements);
    return (sending ??= sendAll());
  }

  function payDebt(): void {
    if (!owesAll) return;
    owesAll = false;
    void send(EVERYTHING);
  }

  async function connect(): Promise<void> {
    const client = await open();
    client.on('notification', ({ payload }) => {
      receive(announcedByOthers(payload ?? ''));
    });
    try {
      await within(client, ANSWER_MS, client.query(`LISTEN ${CHANNEL}`));
    } catch (error) {
      void client.end();
      throw error;
    }
    listening = client;
    payDebt();
    const asking = setInterval(() => {
      within(client, ANSWER_MS, client.query('SELECT 1')).then(payDebt, () => void client.end());
    }, ASK_MS).unref();
    client.once('end', () => {
      clearInterval(asking);
      listening = undefined;
      if (!isClosed) void reconnect();
    });
    if (isClosed) await client.end();
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        await connect();
        receive(EVERYTHING);
        return;
      } catch {
        await sleep(RECONNECT_MS);
      }
    }
  }

  return {
    send,
    listen: () => (starting ??= connect().catch(() => void reconnect())),
    async close() {
      isClosed = true;
      await starting;
      await listening?.end();
    },
  };
}
