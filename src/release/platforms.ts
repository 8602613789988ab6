/** A platform of the release. */
export interface Platform {
  /** The name of the archive. */
  name: string;
  /** The value of `bun build --target`. */
  target: string;
  /** The npm package with Bun for this platform; its hash is in `runtimes/bun.lock`. */
  runtime: string;
  /** Whether the archive includes files for systemd and nginx. */
  isLinux: boolean;
  /** The architecture of the container image with this program; undefined if there is none. */
  image?: "amd64" | "arm64";
}

/**
 * The platforms of a release. Bun's packages for x64 contain the baseline build, which needs only SSE4.2 and
 * uses AVX2 if available, so that it runs on old office machines and small servers.
 */
export const platforms: readonly Platform[] = [
  { ...linux("linux-x64", "bun-linux-x64-baseline", "bun-linux-x64"), image: "amd64" },
  { ...linux("linux-arm64", "bun-linux-arm64", "bun-linux-aarch64"), image: "arm64" },
  linux("linux-x64-musl", "bun-linux-x64-musl-baseline", "bun-linux-x64-musl"),
  linux("linux-arm64-musl", "bun-linux-arm64-musl", "bun-linux-aarch64-musl"),
  other("darwin-arm64", "bun-darwin-arm64", "bun-darwin-aarch64"),
  other("darwin-x64", "bun-darwin-x64", "bun-darwin-x64"),
  other("windows-x64", "bun-windows-x64-baseline", "bun-windows-x64"),
];

function linux(name: string, target: string, runtime: string): Platform {
  return { name, target, runtime: `@oven/${runtime}`, isLinux: true };
}

function other(name: string, target: string, runtime: string): Platform {
  return { ...linux(name, target, runtime), isLinux: false };
}

export function isWindows({ name }: Platform): boolean {
  return name.startsWith("windows-");
}
