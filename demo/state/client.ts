import { signal } from "@preact/signals";
import { createClient, type RemoteRequest } from "../../src/index.ts";
import { serviceKey, serviceUrl } from "./service.ts";

/** Asks the user whether a file may leave the device. */
export interface LeaveQuestion {
  readonly fileName: string;
  answer(mayLeave: boolean): void;
}

/** The question that the page shows. */
export const leaveQuestion = signal<LeaveQuestion | undefined>(undefined);

let mayLeave: Promise<boolean> | undefined;

/** Asks the user for permission, once for all jobs. After a refusal, the next job asks again. */
function askOnce({ file }: RemoteRequest): Promise<boolean> {
  mayLeave ??= new Promise<boolean>((resolve) => {
    leaveQuestion.value = { fileName: file instanceof File ? file.name : "", answer: resolve };
  }).then((isAllowed) => {
    leaveQuestion.value = undefined;
    if (!isAllowed) mayLeave = undefined;
    return isAllowed;
  });
  return mayLeave;
}

/** The client of the app. */
export const client = createClient({
  ...(serviceUrl === undefined ? {} : { baseUrl: serviceUrl, apiKey: serviceKey, onRemote: askOnce }),
  fontUrl: new URL("fonts/", location.href),
});
