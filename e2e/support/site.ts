/** A website with its own origin for tests: an organiser's page, or a foreign one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Site = { origin: string; stop: () => Promise<void> };

/**
 * @param pages HTML by path; anything else is 404
 * @param headers of every page
 */
export async function serveSite(
  pages: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Site> {
  const server = createServer((request, reply) => {
    const html = pages[new URL(request.url ?? '/', 'http://localhost').pathname];
    reply.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...headers,
    });
    reply.end(html === undefined ? '' : `<!doctype html>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
