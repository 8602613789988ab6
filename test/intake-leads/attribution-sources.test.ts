import { describe, expect, test } from "bun:test";
import { attribute } from "../../src/intake-leads/attribution.ts";
import {
  searchEngines,
  shoppingSites,
  socialNetworks,
  videoSites,
} from "../../src/intake-leads/attribution-sources.ts";

describe("the lists of known sites", () => {
  const lists = { searchEngines, socialNetworks, videoSites, shoppingSites };
  const spellings = Object.values(lists).flatMap((sites) =>
    Object.entries(sites).flatMap(([name, others]) => [name, ...others]),
  );

  test("contain no spelling twice", () => {
    expect(spellings.filter((spelling, index) => spellings.indexOf(spelling) !== index)).toEqual(
      [],
    );
  });

  test("are written in the form that is looked up: names, hosts, .domains and endings with a star", () => {
    const isWellWritten = /^(?:[a-z][a-z -]*|\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,}|\*))$/;
    expect(spellings.filter((spelling) => !isWellWritten.test(spelling))).toEqual([]);
  });

  const channels = {
    searchEngines: "Organic Search",
    socialNetworks: "Organic Social",
    videoSites: "Organic Video",
    shoppingSites: "Organic Shopping",
  } as const;

  test("map every spelling in utm_source to the name and the channel of its site", () => {
    for (const [list, sites] of Object.entries(lists)) {
      for (const [name, others] of Object.entries(sites)) {
        const hosts = [name, ...others].flatMap((spelling) => {
          const host = spelling.replace("*", "co.uk").replace(/^\./, "");
          return spelling.startsWith(".") ? [host, `www.${host}`, `sub.${host}`] : [host];
        });
        for (const utm_source of hosts) {
          expect({ utm_source, ...attribute({ utm_source }) }).toEqual({
            utm_source,
            source: name,
            channel: channels[list as keyof typeof lists],
            campaign: null,
          });
        }
      }
    }
  });
});
