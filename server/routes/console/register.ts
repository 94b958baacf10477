/** Routes of the console, registered from the entries of `contract/routes/console`. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { type Done, type PartitionName, ScopeQuery, TIME_HEADER } from '../../contract/console/common.ts';
import { PAGE_HEADER, PageId, REPLY_TOPICS } from '../../contract/console/changes.ts';
import type { BodyOf, ConsoleRoute, ParamsOf, QueryOf } from '../../contract/routes/route.ts';
import type { Scope } from '../../domain/scope.ts';
import { companyScope } from '../../services/companies/companies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { fromPage } from '../../services/changes/changes.ts';
import type { SignedIn } from '../../services/operators/operator-session.ts';
import { type Answer, schemaOf } from '../register.ts';
import { type Access, signedInOf } from './guard.ts';

/** The caller; `actor` is `operator:<id>`, as in the audit log. */
type Caller = { signedIn: SignedIn; actor: Actor };
/** The company and partition that the call is about. */
type About = { scope: Scope; company: { id: string; name: string; dailyLimit: number } };

/** The input of a handler: the checked parts of the request, the caller, the scope, and the raw pair for streams. */
export type ConsoleCall<R extends ConsoleRoute> = {
  body: BodyOf<R>;
  query: QueryOf<R>;
  params: ParamsOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
} & (R extends { readonly role: 'public' } ? object : Caller) &
  (R extends { readonly role: 'public' } | { readonly about: string } ? object : About);

/** The reply of a change without a result. */
export async function done(change: Promise<unknown>): Promise<Done> {
  await change;
  return { ok: true };
}

/** Registers `handler` for the operation that `route` declares. The role is checked before the body is read. */
export function register<const R extends ConsoleRoute>(
  app: FastifyInstance,
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  route: R,
  handler: (call: ConsoleCall<R>) => Answer<R> | Promise<Answer<R>>,
): void {
  const { method, path, bodyLimit, role, about, summary, shows = [] } = route;
  const isScoped = role !== 'public' && about === undefined;
  const { querystring, ...schema } = schemaOf({
    ...route,
    query: { ...route.query, ...(isScoped && ScopeQuery) },
  });
  app.route({
    method,
    url: path,
    exposeHeadRoute: false,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: { access: accessOf(route) },
    schema: { summary, ...schema, ...(role !== 'public' && { querystring }) },
    handler: async (request, reply) => {
      const { body, query, params } = request;
      const subject = isScoped ? await aboutOf(db, request) : null;
      const call = {
        body,
        query,
        params,
        request,
        reply,
        ...(role !== 'public' && callerOf(request)),
        ...subject,
      };
      // The schemas have checked the parts; caller and scope are present if the route's type says so.
      const handle = async () => handler(call as unknown as ConsoleCall<R>);
      const page = request.headers[PAGE_HEADER];
      const isChange = method !== 'GET' && Value.Check(PageId, page);
      const answer = await (isChange ? fromPage(page, [...REPLY_TOPICS, ...shows], handle) : handle());
      if (!reply.sent) void reply.header(TIME_HEADER, clock.now());
      return answer;
    },
  });
}

function accessOf({
  role,
  about,
  background,
  installationWide,
  withoutSecondFactor,
}: ConsoleRoute): Access | 'public' {
  if (role === 'public') return 'public';
  return {
    role,
    ...(background && { background }),
    ...((installationWide === true || about === 'installation') && { installationWide: true }),
    ...(withoutSecondFactor && { withoutSecondFactor }),
  };
}

function callerOf(request: FastifyRequest): Caller {
  const signedIn = signedInOf(request);
  return { signedIn, actor: signedIn.actor };
}

function aboutOf(db: ConsoleDeps['db'], request: FastifyRequest): Promise<About> {
  const chosen = request.query as { company_id?: string; partition?: PartitionName };
  return companyScope(db, signedInOf(request).operator.id, chosen);
}
