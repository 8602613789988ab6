/** The places that state the version. */
export interface VersionSources {
  /** The version in package.json. */
  version: string;
  changelog: string;
  /** Tags of the commit; none between releases. */
  tags: readonly string[];
}

/**
 * The places whose version differs from package.json: the newest entry of the changelog, or a tag such as `v1.0.0`. The
 * changelog may begin with changes that are unreleased, but not in a tagged commit.
 */
export function otherVersions({ version, changelog, tags }: VersionSources): string[] {
  const isTagged = tags.some((tag) => /^v\d/.test(tag));
  const newest =
    (isTagged ? /^## (\S+)/m : /^## (?!Unreleased)(\S+)/m).exec(changelog)?.[1] ?? "none";
  return [
    ...(newest === version ? [] : [`CHANGELOG.md: ${newest}`]),
    ...tags.filter((tag) => /^v\d/.test(tag) && tag !== `v${version}`).map((tag) => `tag: ${tag}`),
  ];
}
