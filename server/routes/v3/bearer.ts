import type { FastifyRequest } from 'fastify';

/** The bearer token of a request; null if there is none. The scheme's name is not case-sensitive (RFC 9110). */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const match = /^bearer +(\S.*)$/i.exec(headers.authorization?.trim() ?? '');
  return match?.[1]?.trimEnd() ?? null;
}
