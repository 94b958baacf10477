/** An event's logo, and the picture behind its start screen: decoded and encoded again as WebP. */
import { appendAudit } from '../../store/operators/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import sharp from 'sharp';
import type { EventRecord } from '../../contract/console/events.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  deleteEventLogo,
  deleteEventPicture,
  findEventImage,
  saveEventLogo,
  saveEventPicture,
  updateEvent,
} from '../../store/venue/events.ts';
import type { Ports } from '../ports/ports.ts';
import { randomBase62 } from '../ports/ids.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { mergeChange } from '../wire/versions.ts';
import { readEvent, requireEvent } from './events.ts';
import { onPlate } from './logo-plate.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** Sharp on a kiosk's screen, small on its network. */
const MAX_WIDTH_PX = 800;
const MAX_HEIGHT_PX = 400;
/** Fills a kiosk's screen. */
const MAX_PICTURE_PX = 1_920;
/** Maximum that a decoder is allowed to unpack. */
const MAX_INPUT_PIXELS = 24_000_000;
const QUALITY = 88;

/** First bytes of the accepted formats; a file's name or type is not trusted. */
const SIGNATURES: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

/** @throws Refusal `invalid_logo` */
async function toLogo(bytes: Buffer): Promise<Buffer> {
  const logo = await decode(bytes, { width: MAX_WIDTH_PX, height: MAX_HEIGHT_PX });
  return encode(await onPlate(logo));
}

/**
 * The pixels as a PNG, without metadata.
 * @throws Refusal `invalid_logo`
 */
async function decode(bytes: Buffer, largest: { width: number; height: number }): Promise<Buffer> {
  if (!SIGNATURES.some((fits) => fits(bytes))) throw unreadable();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch {
    throw unreadable();
  }
}

/** Encoded again, so that only pixels are kept: no metadata and no second format. */
const encode = (png: Buffer): Promise<Buffer> =>
  sharp(png).webp({ quality: QUALITY, alphaQuality: 100 }).toBuffer();

/** `#rrggbb` of the least red, green and blue of any pixel. Transparent pixels count as light. */
async function darkestOf(image: Buffer): Promise<string> {
  const { channels } = await sharp(image).stats();
  const [red = 0, green = red, blue = red] = channels.map(({ min }) => min);
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const unreadable = (): Refusal => new Refusal('invalid_logo');

/** `version` is the event's, as it was read; without one, any image is replaced. */
type ImageChange = {
  scope: Scope;
  eventId: string;
  bytes: Buffer | null;
  version?: string | undefined;
  actor: Actor;
};

/**
 * @param change.bytes the file as it was sent; null removes the logo
 * @throws Refusal `not_found`, `invalid_logo`, `changed_meanwhile`
 */
export async function changeLogo(
  deps: Deps,
  { scope, eventId, bytes, version, actor }: ImageChange,
): Promise<EventRecord> {
  const image = bytes === null ? null : await toLogo(bytes);
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const event = await requireEvent(tx, scope, eventId);
    const logoId = image && randomBase62(24);
    const change = await mergeChange(tx, {
      version,
      current: { logo_id: event.logoId },
      sent: { logo_id: logoId },
      log: { subject: eventId, companyId: scope.companyId, actions: ['event.logo', 'event.logo_removed'] },
    });
    // Nothing was there to remove when the event was read.
    if (change.logo_id === undefined) return;
    if (image === null || logoId === null) await deleteEventLogo(tx, event.id);
    else await saveEventLogo(tx, { eventId: event.id, logoId, image, at });
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

/**
 * As `changeLogo`, for the picture behind the start screen.
 * @throws Refusal `not_found`, `invalid_logo`, `changed_meanwhile`
 */
export async function changePicture(
  deps: Deps,
  { scope, eventId, bytes, version, actor }: ImageChange,
): Promise<EventRecord> {
  const image =
    bytes && (await encode(await decode(bytes, { width: MAX_PICTURE_PX, height: MAX_PICTURE_PX })));
  const darkest = image && (await darkestOf(image));
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const event = await requireEvent(tx, scope, eventId);
    const id = image && randomBase62(24);
    const change = await mergeChange(tx, {
      version,
      current: { picture_id: event.picture?.id ?? null },
      sent: { picture_id: id },
      log: {
        subject: eventId,
        companyId: scope.companyId,
        actions: ['event.picture', 'event.picture_removed'],
      },
    });
    if (change.picture_id === undefined) return;
    if (image === null || darkest === null || id === null) await deleteEventPicture(tx, event.id);
    else await saveEventPicture(tx, { eventId: event.id, id, image, darkest, at });
    await updateEvent(tx, { ...event, updatedAt: at });
    await appendAudit(tx, {
      ...scope,
      subject: eventId,
      at,
      actor,
      action: image === null ? 'event.picture_removed' : 'event.picture',
      details: image === null ? {} : { bytes: image.length },
    });
  });
  return readEvent(deps, scope, eventId);
}

/** The logo or the picture of an event, as WebP. @throws Refusal `not_found` */
export async function readEventImage(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  { eventId, kind }: { eventId: string; kind: 'logo' | 'picture' },
): Promise<Buffer> {
  const { logoId, picture } = await requireEvent(db, scope, eventId);
  const id = kind === 'logo' ? logoId : (picture?.id ?? null);
  const image = id === null ? undefined : await findEventImage(db, id);
  if (!image) throw notFound();
  return Buffer.from(image);
}
