/** How matching performs at the current number of people, for the console and the operator. */
import {
  expectedFalseCandidates,
  falseMatchRate,
  MEASURED_ENROLLED,
} from '../../domain/matching/false-matches.ts';
import { BASE_ENROLLED, COHORT_SIZE, STANDOUT } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';
import { countTemplatesByModel, type TemplateCount } from '../../store/matching/templates.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from './face-index.ts';
import { matchThresholds } from './identification.ts';

export type ThresholdReport = {
  cosine: number;
  standout: number;
  /** Different people at or above the cosine in one search at the current number, before the stand-out condition. */
  expectedFalseCandidates: number;
  /** The rate was measured at this cosine; otherwise it is extrapolated. */
  rateMeasured: boolean;
};

type MatchingReport = {
  model: string;
  /** People who can be matched. */
  enrolled: number;
  near: ThresholdReport;
  same: ThresholdReport;
  /** Whether a match can be the same person: below `standoutFrom` people only if the model has a cohort. */
  standoutInForce: boolean;
  standoutFrom: number;
  /** The thresholds at this number of people were measured; beyond `BASE_ENROLLED` a formula gives them. */
  thresholdsMeasured: boolean;
  /** The number of people is within the range in which the rates were measured. */
  enrolledMeasured: boolean;
  /** Templates of the current model. */
  templates: number;
  /** Templates that are not compared with anyone; their people are enrolled again on their next visit. */
  olderTemplates: TemplateCount[];
};

export async function matchingReport(
  { db, faces, faceIndex }: Pick<Ports, 'db' | 'faces'> & { faceIndex: FaceIndex },
  scope: Scope,
): Promise<MatchingReport> {
  await faceIndex.catchUp(scope);
  const enrolled = faceIndex.enrolled(scope);
  const thresholds = await matchThresholds(db, faces, enrolled);
  const byModel = await countTemplatesByModel(db, scope);
  const isPresent = ({ model }: TemplateCount): boolean => model === faces.embeddingModel;
  const report = (which: 'near' | 'same'): ThresholdReport => ({
    cosine: thresholds[which],
    standout: STANDOUT[which],
    expectedFalseCandidates: expectedFalseCandidates(enrolled, thresholds[which]),
    rateMeasured: !falseMatchRate(thresholds[which]).extrapolated,
  });
  return {
    model: faces.embeddingModel,
    enrolled,
    near: report('near'),
    same: report('same'),
    standoutInForce: faces.cohort !== null || enrolled >= COHORT_SIZE,
    standoutFrom: COHORT_SIZE,
    thresholdsMeasured: enrolled <= BASE_ENROLLED,
    enrolledMeasured: enrolled <= MEASURED_ENROLLED,
    templates: byModel.find(isPresent)?.templates ?? 0,
    olderTemplates: byModel.filter((count) => !isPresent(count)),
  };
}
