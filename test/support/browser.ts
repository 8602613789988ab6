import { type Browser, chromium, type Page } from "playwright-core";

/** Debian's Chromium, with access only to this machine. */

/** The browser without windows, which takes a quarter of the work to open a page; or that with windows. */
const CHROMIUM = Bun.which("chromium-headless-shell") ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** @param settings flags besides, such as the reader's own size of text. */
export function launchBrowser(settings: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...settings] });
}

/** Events on a page that are not visible. */
export class Observed {
  /** Requests to other servers. */
  readonly outside: string[] = [];
  /** Errors and warnings, including violations of the content security policy. */
  readonly complaints: string[] = [];

  constructor(page: Page, origin: string) {
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) this.outside.push(url);
    });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }
}
