/** What the page says to a service worker that waits: to take over, unless another window is open. */
export const TAKE_OVER = "take-over";
