/** What the system says about a file or a disk, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  EBUSY: 'it is in use',
  EIO: 'the disk reports an error',
  EFBIG: 'the file is too large for its disk',
  ELOOP: 'its links lead back to it',
  ENAMETOOLONG: 'its name is too long',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const isDiskFull = (error: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(codeOf(error));

/** Why a file cannot be read or written, to follow its name; null for any other error. */
export function diskReasonOf(error: unknown): string | null {
  return WORDS[codeOf(error)] ?? null;
}
