/** How much a capture asks of a person; a setting of the verification. */
export type ChallengeMode = 'standard' | 'strict';
