import type { FastifyInstance } from 'fastify';
import { EMBED_META, EMBED_QUERY, runLinkOf } from '../../contract/hosted-link.ts';
import { claimedOrigin, frameAncestors, isUnaddressable, mayEmbed } from '../../domain/runs/embedding.ts';
import type { ServiceDeps } from '../deps.ts';
import { embeddersOf } from '../../services/runs/embedding.ts';
import { readLanguageOffer } from '../../services/companies/languages.ts';
import { CAMERA_CSP, surface } from './surface.ts';

const policyWith = (ancestors: string | null): string =>
  [...CAMERA_CSP, ...(ancestors === null ? [] : [ancestors])].join('; ');
/** A person's own page has an erase button, so it must never be embedded. */
const UNFRAMED_CSP = policyWith("frame-ancestors 'none'");

const LANDMARKER_FILE = 'face_landmarker.task';

export type HostedOptions = { pagesDir: string; modelDir: string };
export type PageDeps = { deps: Pick<ServiceDeps, 'db' | 'baseUrl'> };

/** The guest's page, its files, and the landmark model for its hints. */
export async function hostedPages(
  app: FastifyInstance,
  { pagesDir, modelDir, deps }: HostedOptions & PageDeps,
): Promise<void> {
  const { sendPage } = await surface(app, {
    pagesDir,
    name: 'hosted',
    policy: UNFRAMED_CSP,
    offer: () => readLanguageOffer(deps.db),
  });
  for (const address of ['/verification', '/invite/:code', '/v/:id', '/connect', '/connect/direct']) {
    app.get(address, async (request, reply) => {
      const { ancestors, facts } = await framingOf(deps, new URL(request.url, deps.baseUrl()));
      return sendPage(reply, policyWith(ancestors), facts);
    });
  }
  for (const address of ['/my', '/scan', '/t/:event'])
    app.get(address, (_request, reply) => sendPage(reply, UNFRAMED_CSP));

  app.get(`/assets/models/${LANDMARKER_FILE}`, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').sendFile(LANDMARKER_FILE, modelDir),
  );
}

type Framing = { ancestors: string | null; facts: Readonly<Record<string, string>> };

/**
 * Who may embed this page, and whom it may notify: one decision on the server, so that the page's script makes none.
 */
async function framingOf({ db }: PageDeps['deps'], url: URL): Promise<Framing> {
  const allowed = await embeddersOf(db, runLinkOf(url));
  const ancestors = frameAncestors(allowed);
  const claimed = url.searchParams.get(EMBED_QUERY.origin);
  if (url.searchParams.get(EMBED_QUERY.embed) !== '1' || claimed === null) return { ancestors, facts: {} };
  const origin = claimedOrigin(claimed);
  if (origin !== null && mayEmbed(allowed, origin)) {
    return { ancestors, facts: { [EMBED_META.origin]: origin } };
  }
  // Any page may know the result of a test.
  if (allowed === 'any') {
    return { ancestors, facts: isUnaddressable(claimed) ? { [EMBED_META.origin]: '*' } : {} };
  }
  // This document opens no run, so any page may embed it.
  return { ancestors: frameAncestors('any'), facts: { [EMBED_META.refused]: 'true' } };
}
