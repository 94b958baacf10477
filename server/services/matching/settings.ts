/** How strictly faces are compared, on the settings page. */
import type { MatchingChange, MatchingSettings } from '../../contract/console/settings.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from './face-index.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { versionOf } from '../wire/versions.ts';
import { changeMatchMargin, MARGIN_BOUNDS, readMatchMargin } from './match-margin.ts';
import { readSecondOpinionBelow } from './second-opinion.ts';
import { matchingReport, type ThresholdReport } from './report.ts';

export async function readMatching(
  deps: Pick<Ports, 'db' | 'faces'> & { faceIndex: FaceIndex },
  scope: Scope,
): Promise<MatchingSettings> {
  const report = await matchingReport(deps, scope);
  const margin = await readMatchMargin(deps.db);
  const secondOpinionBelow = await readSecondOpinionBelow(deps.db);
  const threshold = ({ cosine, expectedFalseCandidates, rateMeasured }: ThresholdReport) => ({
    cosine,
    expected_false: expectedFalseCandidates,
    is_measured: rateMeasured,
  });
  return {
    model: report.model,
    enrolled: report.enrolled,
    older_templates: report.olderTemplates.reduce((sum, { templates }) => sum + templates, 0),
    near: threshold(report.near),
    same: threshold(report.same),
    standout_in_force: report.standoutInForce,
    standout_from: report.standoutFrom,
    is_measured: report.thresholdsMeasured,
    version: versionOf({ margin, second_opinion_below: secondOpinionBelow }),
    margin,
    margin_min: MARGIN_BOUNDS.min,
    margin_max: MARGIN_BOUNDS.max,
    second_opinion_below: secondOpinionBelow,
  };
}

/** @throws Refusal `setting_out_of_range`, `changed_meanwhile` */
export async function changeMatching(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  change: MatchingChange,
  actor: Actor,
): Promise<void> {
  const { min, max } = MARGIN_BOUNDS;
  const { margin = 0 } = change;
  if (margin < min || margin > max) {
    throw new Refusal('setting_out_of_range', { args: { min, max } });
  }
  await changeMatchMargin(db, clock, { ...change, actor });
}
