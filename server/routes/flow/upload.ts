import type { FastifyRequest } from 'fastify';
import { CAPTURE_LIMITS, Timeline } from '../../contract/flow.ts';
import type { CaptureUpload } from '../../services/capture/capture.ts';
import { ServiceError, ValidationError } from '../../services/errors.ts';
import { compile } from '../../services/validation.ts';

const checkTimeline = compile(Timeline, 'body');

/**
 * Reads a capture's multipart body: `nonce`, `timeline` and the JPEG `frames`, within the bounds of the contract.
 * @throws ServiceError `capture_incomplete`, `frame_too_large`, `too_many_frames`; ValidationError for the timeline
 */
export async function readUpload(request: FastifyRequest): Promise<CaptureUpload> {
  if (!request.isMultipart()) throw new ServiceError('capture_incomplete');
  const frames: Buffer[] = [];
  const fields = new Map<string, string>();
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') frames.push(await part.toBuffer());
      else if (typeof part.value === 'string') fields.set(part.fieldname, part.value);
    }
  } catch (error) {
    throw refusalOf(error);
  }
  const nonce = fields.get('nonce');
  const timelineText = fields.get('timeline');
  if (nonce === undefined || timelineText === undefined || frames.length === 0) {
    throw new ServiceError('capture_incomplete');
  }
  if (frames.reduce((total, frame) => total + frame.length, 0) > CAPTURE_LIMITS.maxTotalBytes) {
    throw new ServiceError('frame_too_large');
  }
  const timeline = parseTimeline(timelineText);
  if (timeline.frames.length !== frames.length) throw new ServiceError('capture_incomplete');
  return { nonce, timeline, frames };
}

function parseTimeline(text: string): Timeline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError('capture_incomplete');
  }
  const detail = checkTimeline(value).map((finding) => ({
    ...finding,
    loc: ['body', 'timeline', ...finding.loc.slice(1)],
  }));
  if (detail.length > 0) throw new ValidationError(detail);
  return value as Timeline;
}

function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'FST_REQ_FILE_TOO_LARGE':
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('frame_too_large');
    case 'FST_FILES_LIMIT':
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new ServiceError('too_many_frames');
    default:
      // A body that ends early or is no multipart at all.
      return new ServiceError('capture_incomplete', { cause: error });
  }
}
