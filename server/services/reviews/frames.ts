/** Pictures of a case as the console reads them. */
import type { ReviewFrame, ReviewFraming } from '../../contract/console/reviews.ts';
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import type { CaseFrameFacts } from '../../store/reviews/case-frames.ts';
import { iso } from '../wire/values.ts';

export const toFrame = ({ caseId, index, takenAt, framing }: CaseFrameFacts): ReviewFrame => ({
  case_id: caseId,
  index,
  taken_at: iso(takenAt),
  framing: toFraming(framing),
});

export const toFraming = (framing: FaceFraming): ReviewFraming => ({
  width: framing.width,
  height: framing.height,
  eyes_x: framing.eyesX,
  eyes_y: framing.eyesY,
  interocular_px: framing.interocularPx,
  roll_rad: framing.rollRad,
});
