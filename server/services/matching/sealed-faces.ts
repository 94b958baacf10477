/**
 * Faces of an event that are sealed with their tickets: a face is opened only while the code of its ticket is shown, compared
 * one to one, and searched for nowhere. No key is stored: the device that showed the code holds it in the token of its run.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { cosine, normalisedMean } from '../../domain/matching/matching.ts';
import { furtherViews } from '../../domain/matching/template-set.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
import { readCode } from '../../domain/tickets/ticket.ts';
import type { FaceEngine } from '../../face/engine.ts';
import { insertSealedTemplate, listSealedTemplates } from '../../store/matching/templates.ts';
import { fromFloat32 } from '../../store/rows.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { findTicketOfRun } from '../../store/tickets/entries.ts';
import { findTicket, type Ticket } from '../../store/tickets/tickets.ts';
import { readMatchMargin } from './match-margin.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** What a face is sealed with, and opened. */
export type TicketSeal = { ticketId: string; key: Uint8Array };

/** @param code as a scanner read it */
export const ticketKeyOf = (code: string, ticketId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', readCode(code), ticketId, 'gatehouse sealed face 1', KEY_BYTES));

/** A token of a run that carries the key of its ticket, for the device that showed the code. The database has only the token's hash. */
export const tokenWithKey = (token: string, key: Uint8Array | null): string =>
  key === null ? token : `${token}.${Buffer.from(key).toString('base64url')}`;

/** A run's next token, or the one-time code of a link that moves it, with the key that its token or code has carried so far. */
export const carryKey = (made: string, from: string | null): string => tokenWithKey(made, ticketKeyIn(from));

/** The key that the token carries; null if none. */
export function ticketKeyIn(flowToken: string | null): Buffer | null {
  const key = Buffer.from(flowToken?.split('.')[1] ?? '', 'base64url');
  return key.length === KEY_BYTES ? key : null;
}

/** Two boxes of one face differ. A box opens with its ticket's key and for its person only. */
export function sealFace({ key }: TicketSeal, personId: string, face: Float32Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(personId));
  const plain = fromFloat32(face);
  const box = Buffer.concat([nonce, cipher.update(plain), cipher.final()]);
  return Buffer.concat([box, cipher.getAuthTag()]);
}

/** Null for another key. The caller fills the face with zeros once it is compared. */
function openFace({ key }: TicketSeal, personId: string, box: Uint8Array): Float32Array | null {
  const end = box.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(personId))
    .setAuthTag(box.subarray(end));
  const plain = decipher.update(box.subarray(NONCE_BYTES, end));
  try {
    decipher.final();
    const face = new Float32Array(plain.length / Float32Array.BYTES_PER_ELEMENT);
    new Uint8Array(face.buffer).set(plain);
    return face;
  } catch {
    return null;
  } finally {
    plain.fill(0);
  }
}

/** Seals the face, and up to two further views, in the pool of the event. */
export async function keepSealed(
  tx: SqlTx,
  pool: FacePool,
  seal: TicketSeal,
  {
    vector,
    views,
    ...of
  }: {
    personId: string;
    passId: string;
    model: string;
    quality: number;
    at: number;
    vector: Float32Array;
    views: readonly Float32Array[];
  },
): Promise<void> {
  for (const face of [vector, ...furtherViews(vector, views)])
    await insertSealedTemplate(tx, pool, { ...of, box: sealFace(seal, of.personId, face) });
}

/**
 * The mean of the guest's sealed faces; null if the key opens none. The caller fills it with zeros once it is compared.
 * @param personId the ticket's guest
 */
export async function openSealed(
  db: SqlReader,
  pool: FacePool,
  seal: TicketSeal,
  { personId, model }: { personId: string; model: string },
): Promise<Float32Array | null> {
  const boxes = await listSealedTemplates(db, pool, model, personId);
  const faces = boxes.flatMap((box) => openFace(seal, personId, box) ?? []);
  if (faces.length === 0) return null;
  const mean = normalisedMean(faces);
  for (const face of faces) face.fill(0);
  return mean;
}

/** The cosine from which a face is the one that it is compared with. A looser margin is for faces that are searched for. */
export const oneToOneLeast = async (
  db: SqlReader,
  { thresholds: { oneToOne, samePerson } }: Pick<FaceEngine, 'thresholds'>,
): Promise<number> => (oneToOne ?? samePerson) + Math.max(0, await readMatchMargin(db));

/** The ticket with which the run began. */
export async function ticketOfRun(
  db: SqlReader,
  { id, scope }: Pick<Session, 'id' | 'scope'>,
): Promise<Ticket | undefined> {
  const run = await findTicketOfRun(db, scope, id);
  return run && findTicket(db, scope, run.ticketId);
}

/**
 * Whose face it is, as far as the run's ticket can tell: its guest's, or nobody's. The first face that comes with a ticket is
 * sealed with it.
 * @param claimed its guest, whose face the shorter check has already been compared with
 */
export async function identifyByTicket(
  { faces }: { faces: FaceEngine },
  tx: SqlTx,
  {
    session,
    pool,
    probe,
    key,
    claimed,
  }: {
    session: Pick<Session, 'id' | 'scope'>;
    pool: FacePool;
    probe: Float32Array | null;
    key: Uint8Array | null;
    claimed: string | null;
  },
): Promise<{ personId: string | null; seal: TicketSeal | null }> {
  const ticket = await ticketOfRun(tx, session);
  const seal = ticket && key ? { ticketId: ticket.id, key } : null;
  if (!ticket || !seal || probe === null) return { personId: null, seal: null };
  const { personId } = ticket;
  if (personId === null) return { personId, seal };
  if (claimed !== null) return { personId: claimed, seal: null };
  const face = await openSealed(tx, pool, seal, { personId, model: faces.embeddingModel });
  const isTheirs = face !== null && cosine(probe, face) >= (await oneToOneLeast(tx, faces));
  face?.fill(0);
  return { personId: isTheirs ? personId : null, seal: null };
}
