import {
  type DefinitionBase,
  Elysia,
  type MetadataBase,
  type RouteBase,
  type SingletonBase,
} from "elysia";
import { calendarFeed, calendars } from "./calendar/routes.ts";
import { checks } from "./checks/routes.ts";
import { billing, billingSupport } from "./billing/routes.ts";
import { delivery } from "./delivery/routes.ts";
import { encounters } from "./encounters/routes.ts";
import { goalProgress } from "./goal-progress/routes.ts";
import { goals } from "./goals/routes.ts";
import { documentation } from "./http/document/swagger.ts";
import type { Dependencies } from "./http/context.ts";
import { exchange } from "./http/exchange.ts";
import type { Handlers } from "./http/threads/run-handler.ts";
import { health } from "./http/health.ts";
import { sandboxRoutes } from "./http/sandbox/routes.ts";
import type { Sandbox } from "./http/sandbox/sandbox.ts";
import { otherMethods, unknownPaths } from "./http/other-paths.ts";
import { VERSION_BASE } from "./http/paths.ts";
import { intakeLeads } from "./intake-leads/routes.ts";
import { type AgentOptions, agentTools } from "./mcp/routes.ts";
import { me } from "./me/routes.ts";
import { page } from "./page/routes.ts";
import { referenceData } from "./reference-data/routes.ts";
import { practiceFile } from "./practice-file/routes.ts";
import { access } from "./access/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { sessions } from "./sessions/routes.ts";
import { supervision } from "./supervision/routes.ts";
import { specializations } from "./specializations/routes.ts";
import { treatmentPlans } from "./treatment-plans/routes.ts";
import { names, users } from "./users/routes.ts";
import { sessionUtilization, utilization } from "./utilization/routes.ts";

/** The API: all features, in the order of the documentation. */
export const api = new Elysia({ prefix: VERSION_BASE })
  .use(me)
  .use(users)
  .use(names)
  .use(access)
  .use(specializations)
  .use(sessions)
  .use(sessionUtilization)
  .use(encounters)
  .use(utilization)
  .use(checks)
  .use(delivery)
  .use(billing)
  .use(billingSupport)
  .use(supervision)
  .use(intakeLeads)
  .use(treatmentPlans)
  .use(goals)
  .use(goalProgress)
  .use(referenceData)
  .use(calendars)
  .use(practiceFile);

/** The handlers of its operations, for workers. */
export const handlers: Handlers = new Map(
  api.routes.map(({ hooks, handler }) => [String(hooks.detail?.operationId), handler]),
);

/** The ids of its operations, by method and path. */
export const operations: ReadonlyMap<string, string> = new Map(
  api.routes.map(({ method, path, hooks }) => [
    `${method} ${path}`,
    String(hooks.detail?.operationId),
  ]),
);

export interface AppDependencies extends Dependencies {
  /** Whether requests arrive as https: URLs. */
  https: boolean;
  /** That of a server for tests. */
  sandbox?: Sandbox | undefined;
  /** The tools for agents; undefined without. */
  agents?: AgentOptions | undefined;
}

/** The service as a function from requests to responses; `server.ts` binds it to a port. */
export function createApp({ https, agents, sandbox, ...dependencies }: AppDependencies) {
  const meetFault = sandbox && sandbox.meetFault.bind(sandbox);
  const app = new Elysia({
    strictPath: true,
    systemRouter: false,
    normalize: false,
    // Elysia searches for the path from a fixed position in the URL: either the 8th character, which works for any host
    // but is inside "https://", or the 12th, which would take a host of one or two letters for a part of the path.
    handler: { standardHostname: https },
  })
    .decorate("dependencies", { ...dependencies, meetFault } as Dependencies)
    .use(exchange)
    .use(health)
    .use(documentation(api, recordModels))
    .use(page)
    .use(signInRoutes)
    .use(calendarFeed)
    .use(api)
    .use(otherMethods(api))
    .use(unknownPaths);
  if (agents !== undefined) app.use(agentTools(agents, (request) => app.handle(request)));
  if (sandbox !== undefined) app.use(sandboxRoutes(sandbox));
  return app;
}

/** Loaded with the document. */
async function recordModels() {
  return (await import("./practice-file/components.ts")).recordModels();
}

type Served = ReturnType<typeof createApp>;

/** Maps branded texts, such as `Instant`, and files to plain text for clients: Eden Treaty sends bytes as JSON. */
type Plain<Type> = Type extends { readonly __type: string }
  ? string
  : Type extends Uint8Array
    ? string
    : Type extends object
      ? { [Key in keyof Type]: Plain<Type[Key]> }
      : Type;

type Routes = Plain<Served["~Routes"]>;

/** The app's type for Eden Treaty: `treaty<App>(url)` is a client with the types of every operation. */
export type App = Elysia<
  "",
  SingletonBase,
  DefinitionBase,
  MetadataBase,
  Routes extends RouteBase ? Routes : never
>;
