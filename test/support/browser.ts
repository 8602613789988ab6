import { type Browser, chromium, type Page } from "playwright-core";

/** Debian's Chromium, which can reach this machine alone. */

const CHROMIUM = "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** What happened on a page besides what it shows. */
export class Observed {
  /** Requests to anywhere else than the server that the page came from. */
  readonly outside: string[] = [];
  /** Errors and warnings, breaches of the content security policy among them. */
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
