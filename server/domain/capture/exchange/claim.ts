/**
 * The fast lane: a guest whose ticket says who they are. While nothing is in doubt, a resting face in two tints and one turn are
 * enough. From the first doubt on the same capture asks for everything that the full check asks for.
 */
import { cosine, normalisedMean } from '../../matching/matching.ts';
import { areStepsLate, extraStepsAtRest, isUnsettled, judgeExchange, restingStills } from './judgement.ts';
import { tintsNeeded } from './requests.ts';
import { answeredSteps, unjudged, unjudgedOf, type Claim, type ExchangeState } from './state.ts';

/**
 * Whether anything speaks against the short check: somebody was slow or too quick, the face at rest is not surely that of the
 * claim, a still that was judged leaves a doubt. What is not judged yet is no doubt.
 */
export function isClaimInDoubt(state: ExchangeState, claim: Claim): boolean {
  const { requests, plan, earlyStills } = state;
  if (earlyStills > 0 || requests.some((request) => request.state === 'void')) return true;
  const tints = requests.filter(({ ask }) => ask.kind === 'tint');
  const resting = restingStills(state);
  if (unjudgedOf(tints).length === 0 && resting.length >= tintsNeeded(plan)) {
    const faces = resting.flatMap(({ still }) => still.evidence.embedding ?? []);
    if (faces.length === 0 || cosine(normalisedMean(faces), claim.vector) < claim.least) return true;
    if (extraStepsAtRest(state, judgeExchange(state)) > 0) return true;
  }
  if (unjudged(state).length > 0 || answeredSteps(state).length === 0) return false;
  const verdict = judgeExchange(state);
  return !verdict.passed || isUnsettled(state, verdict) || areStepsLate(state);
}
