/** Parses a page's messages in a capture. */
import { isUtf8 } from 'node:buffer';
import {
  CameraReport,
  Hello,
  Leave,
  CAPTURE_BOUNDS,
  Poll,
  StillHeader,
  type ClientMessage,
} from '../../contract/capture.ts';
import { compile } from '../../services/wire/validation.ts';

const CHECKS = {
  hello: compile(Hello, 'body'),
  camera: compile(CameraReport, 'body'),
  poll: compile(Poll, 'body'),
  leave: compile(Leave, 'body'),
  still: compile(StillHeader, 'body'),
} as const;

/**
 * @param source the bytes of a text message, or a parsed body
 * @returns null if it is not a valid message
 */
export function parseMessage(source: unknown): ClientMessage | null {
  const value = Buffer.isBuffer(source) ? parseJson(source) : source;
  return isMessage(value) && value.type !== 'still' ? (value as ClientMessage) : null;
}

/** @returns null if the bytes are not a still with a valid header; the caller checks the size of the JPEG */
export function parseStill(bytes: Buffer): { header: StillHeader; jpeg: Buffer } | null {
  if (bytes.length < 2) return null;
  const end = 2 + bytes.readUInt16BE(0);
  if (end >= bytes.length) return null;
  const header = parseJson(bytes.subarray(2, end));
  if (!isMessage(header) || header.type !== 'still') return null;
  return { header: header as StillHeader, jpeg: bytes.subarray(end) };
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length > CAPTURE_BOUNDS.maxTextBytes || !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is { type: keyof typeof CHECKS } {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(CHECKS, type)) return false;
  return CHECKS[type as keyof typeof CHECKS](value).length === 0;
}
