/**
 * A capture as the server received it, kept to measure the rules on (`gatehouse record`): the plan, every event
 * with its time, and the stills. Played again, it gives the same verdict under the same rules. Evidence is not part of
 * it: it would be a biometric template, and the models measure the stills again.
 */
import type { CaptureRequest } from '../../contract/capture.ts';
import type { ExchangeEvent } from './exchange/exchange.ts';
import type { ExchangePlan } from './exchange/state.ts';
import type { LivenessFinding } from './liveness-findings.ts';

/** An event of the state machine; of a judged still only its number. */
export type RecordedEvent = Exclude<ExchangeEvent, { type: 'judged' }> | { type: 'judged'; seq: number };

export type RecordedCapture = {
  plan: ExchangePlan;
  /** In the order of their occurrence; milliseconds since the capture began. */
  events: { atMs: number; event: RecordedEvent }[];
  /** What was asked for, in that order. */
  requests: Pick<CaptureRequest, 'ask' | 'tint' | 'step'>[];
  /** Null if it ended without one. */
  verdict: {
    passed: boolean;
    isDoubtful: boolean;
    findings: LivenessFinding[];
    /** Of an attack, 0 to 1; null if no signal could be measured. */
    score: number | null;
  } | null;
};

/** The consent of the person shown: which text they agreed to, and when (ISO 8601). */
export type RecordingConsent = { version: string; language: string; digest: string | null; at: string };

/** What the operator says about a recording. */
export type RecordingLabel = {
  /** The organiser that the consent names. */
  organiser: string;
  /** The person shown, by a name that only the venue can resolve. */
  identity: string;
  /** Species of attack; null for a genuine person. */
  attack: string | null;
  /** Further labels, each reported separately. */
  labels: Record<string, string>;
};

export type Recording = RecordingLabel & {
  /** Shown to the person, who erases all recordings of one sitting with it. */
  code: string;
  /** Day of the recording, and the last day on which it is kept. */
  day: string;
  keptUntil: string;
  consent: RecordingConsent;
  capture: RecordedCapture;
  /** Every still that was counted, by its `seq`. */
  stills: ReadonlyMap<number, Buffer>;
};

/** Species and labels: short, and the same in every report. */
export const RECORDING_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
