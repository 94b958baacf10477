/** Longest code that is taken: a recovery code with its hyphens and some spaces. */
export const MAX_CODE_CHARS = 40;
