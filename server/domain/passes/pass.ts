/** Contract, confirmation `verified`: the verification passed and nothing has ended it since. */
export function isVerified(pass: {
  status: 'approved' | 'denied';
  lockedAt: number | null;
  revokedAt: number | null;
}): boolean {
  return pass.status === 'approved' && pass.lockedAt === null && pass.revokedAt === null;
}
