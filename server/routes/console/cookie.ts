/** The session's cookie: not readable by scripts, never sent by another site, and sent only to the console's API. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_API } from '../../contract/console/common.ts';

const NAME = 'gatehouse_console';

/** With HTTPS, the name prefix makes the browser require `Secure`, no `Domain` and the path `/`. */
function place(request: FastifyRequest): { name: string; path: string; secure: boolean } {
  return request.protocol === 'https'
    ? { name: `__Host-${NAME}`, path: '/', secure: true }
    : { name: NAME, path: CONSOLE_API, secure: false };
}

export function sessionTokenOf(request: FastifyRequest): string | null {
  const token = request.cookies[place(request).name];
  return token === undefined || token === '' ? null : token;
}

/** Without a maximum age: it is deleted when the browser closes, and the server ends the session earlier. */
export function giveSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const { name, path, secure } = place(request);
  void reply.setCookie(name, token, { path, secure, httpOnly: true, sameSite: 'strict' });
}

export function takeSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, path, secure } = place(request);
  void reply.clearCookie(name, { path, secure, httpOnly: true, sameSite: 'strict' });
}
