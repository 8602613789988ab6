import { Elysia } from "elysia";
import { goalEndpoints } from "./goals/routes.ts";
import { mountDocumentation } from "./http/documentation.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { ServiceDependencies } from "./http/exchange.ts";
import { mountOperation } from "./http/operation.ts";
import { mountApi } from "./http/router.ts";
import { intakeLeadEndpoints } from "./intake-leads/routes.ts";
import { mountPage } from "./page/routes.ts";
import { sessionEndpoints } from "./sessions/routes.ts";
import { specializationEndpoints } from "./specializations/routes.ts";
import { userEndpoints } from "./users/routes.ts";
import { utilizationEndpoints } from "./utilization/routes.ts";

/** The index of the API: every endpoint, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  ...userEndpoints,
  ...specializationEndpoints,
  ...sessionEndpoints,
  ...utilizationEndpoints,
  ...intakeLeadEndpoints,
  ...goalEndpoints,
];

export interface AppDependencies extends ServiceDependencies {
  /** Whether requests arrive as https: URLs. */
  https: boolean;
}

/** The service as a function from requests to answers; `server.ts` puts it on a port. */
export function createApp(dependencies: AppDependencies): Elysia {
  const app = new Elysia({
    strictPath: true,
    systemRouter: false,
    normalize: false,
    // Elysia looks for the path from a fixed place of the URL on: from the 8th character, which suits any Host
    // but lies within "https://", or from the 12th, which takes a Host of one or two letters for a path.
    handler: { standardHostname: dependencies.https },
  });
  mountOperation(app, dependencies);
  mountDocumentation(app, endpoints, dependencies);
  mountPage(app, dependencies);
  mountApi(app, endpoints, dependencies);
  return app;
}
