import { expect, test } from "bun:test";
import {
  attribute,
  type Attribution,
  type Channel,
} from "../../../src/intake-leads/attribution.ts";

/** The fields that a form sent, with the resulting source, channel and campaign. */
export type Case = [raw: Attribution, source: string, channel: Channel, campaign?: string];

/** Declares a test for each case. */
export function expectAll(cases: Case[]) {
  for (const [raw, source, channel, campaign = null] of cases) {
    test(`${JSON.stringify(raw)} is ${source}, ${channel}`, () => {
      expect(attribute(raw)).toEqual({ source, channel, campaign });
    });
  }
}

/** The fields of a tagged link. */
export const tag = (utm_source: string, utm_medium: string, utm_campaign = ""): Attribution => ({
  utm_source,
  utm_medium,
  utm_campaign,
});
