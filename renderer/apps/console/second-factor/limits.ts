/** Maximum length of a code: a recovery code with its hyphens and some spaces. */
export const MAX_CODE_CHARS = 40;
