import { handlers } from "./app.ts";
import { answerTasks } from "./http/threads/thread.ts";

/** A thread for long work, such as reports and imports (docs/developing.md, "Long work"). */

// As in main.ts: a thread has its own.
process.env.TZ = "UTC";

answerTasks(handlers);
