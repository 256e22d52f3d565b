// An app's own worker, which ends itself when its first job comes. Listens before Stayput does.
import "./end-at-first-message.ts";
import "../../workers/worker.ts";
