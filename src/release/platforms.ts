/** A kind of machine that a release is for. */
export interface Platform {
  /** How the archive is called. */
  name: string;
  /** How `bun build --target` calls it. */
  target: string;
  /** The npm package that has Bun for it; `runtimes/bun.lock` has its hash. */
  runtime: string;
  /** Where the program runs as a service of systemd, perhaps behind nginx. */
  isLinux: boolean;
  /** How images call the processor, where an image has this program; undefined for others. */
  image?: "amd64" | "arm64";
}

/**
 * What a release is for. The packages of Bun for x64 hold its baseline build, which needs nothing newer than SSE4.2 and
 * takes AVX2 where there is any: old office machines and small servers run it.
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
