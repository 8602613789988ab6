import { openBrowser } from "./test/support/browser.ts";
