/** The session's cookie: out of scripts' reach, never sent by another site, and to the console's API alone. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_API } from '../../contract/console/common.ts';

const NAME = 'gatehouse_console';

/** With HTTPS the name itself makes the browser insist on `Secure`, no `Domain` and the whole path. */
function place(request: FastifyRequest): { name: string; path: string; secure: boolean } {
  return request.protocol === 'https'
    ? { name: `__Host-${NAME}`, path: '/', secure: true }
    : { name: NAME, path: CONSOLE_API, secure: false };
}

export function sessionTokenOf(request: FastifyRequest): string | null {
  const token = request.cookies[place(request).name];
  return token === undefined || token === '' ? null : token;
}

/** Without an age: it goes with the browser, and the server ends it before that. */
export function giveSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const { name, path, secure } = place(request);
  void reply.setCookie(name, token, { path, secure, httpOnly: true, sameSite: 'strict' });
}

export function takeSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, path, secure } = place(request);
  void reply.clearCookie(name, { path, secure, httpOnly: true, sameSite: 'strict' });
}
