/** An event's logo: any uploaded picture becomes a small WebP that this server encodes. */
import { appendAudit } from '../../store/operators/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import sharp from 'sharp';
import type { EventRecord } from '../../contract/console/events.ts';
import type { Scope } from '../../domain/scope.ts';
import { deleteEventLogo, findLogo, saveEventLogo, updateEvent } from '../../store/venue/events.ts';
import type { ServiceDeps } from '../deps.ts';
import { randomBase62 } from '../ids.ts';
import { ConsoleError, notFound } from '../errors.ts';
import { readEvent, requireEvent } from './events.ts';

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

/** Sharp on a kiosk's screen, small on its network. */
const MAX_WIDTH_PX = 800;
const MAX_HEIGHT_PX = 400;
/** Maximum that a decoder is allowed to unpack. */
const MAX_INPUT_PIXELS = 24_000_000;
const QUALITY = 88;

/** First bytes of the accepted formats; a file's name or type is not trusted. */
const SIGNATURES: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

/**
 * Decodes and encodes the picture again, so that only pixels are kept: no metadata and no second format.
 * @throws ConsoleError `invalid_logo`
 */
export async function toLogo(bytes: Buffer): Promise<Buffer> {
  if (!SIGNATURES.some((fits) => fits(bytes))) throw unreadable();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ width: MAX_WIDTH_PX, height: MAX_HEIGHT_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY, alphaQuality: 100 })
      .toBuffer();
  } catch {
    throw unreadable();
  }
}

const unreadable = (): ConsoleError => new ConsoleError('invalid_logo');

/**
 * @param bytes the file as it was sent; null removes the logo
 * @throws ConsoleError `not_found`, `invalid_logo`
 */
export async function changeLogo(
  deps: Deps,
  { scope, eventId, bytes, actor }: { scope: Scope; eventId: string; bytes: Buffer | null; actor: Actor },
): Promise<EventRecord> {
  const image = bytes === null ? null : await toLogo(bytes);
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const event = await requireEvent(tx, scope, eventId);
    if (image === null) await deleteEventLogo(tx, event.id);
    else await saveEventLogo(tx, { eventId: event.id, logoId: randomBase62(24), image, at });
    await updateEvent(tx, { ...event, updatedAt: at });
    const action = image === null ? 'event.logo_removed' : 'event.logo';
    await appendAudit(tx, {
      ...scope,
      subject: eventId,
      at,
      actor,
      action,
      details: image === null ? {} : { bytes: image.length },
    });
  });
  return readEvent(deps, scope, eventId);
}

/** @throws ConsoleError `not_found` */
export async function readEventLogo(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  eventId: string,
): Promise<Buffer> {
  const { logoId } = await requireEvent(db, scope, eventId);
  const image = logoId === null ? undefined : await findLogo(db, logoId);
  if (!image) throw notFound();
  return Buffer.from(image);
}
