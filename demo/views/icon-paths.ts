/** The lines of each icon, on a square of 24. */
export const ICON_PATHS = {
  // A closed lock, and an open one.
  protect: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  unlock: "M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2",
  // Two parts of a page, and a cut between them.
  split: "M5 4.5h14v5H5zM5 14.5h14v5H5zM3 12h18",
  // Pages in a grid, and a new one.
  organize: "M5 4h6v7H5zM13 4h6v7h-6zM5 13h6v7H5zM16 14v6M13 17h6",
  // Two pages that become one.
  merge: "M4 4.5h7v9H4zM13 10.5h7v9h-7zM11 9h4.5v1.5",
  // Two arrows in a circle.
  convert: "M5 9a7 7 0 0 1 12.5-2.5L19 8.5M19 4v4.5h-4.5M19 15a7 7 0 0 1-12.5 2.5L5 15.5M5 20v-4.5h4.5",
  // Four corners that close in.
  shrink: "M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5",
  // A page, and an eraser on it.
  clean: "M6 20.5v-17h7l5 5V11M13 3.5v5h5M6 20.5h5M13 20.5l6-6 2 2-4 4z",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  "both-ways": "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17 19 7",
  more: "M6 9l6 6 6-6",
  search: "M16.5 10.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0ZM15 15l5 5",
  scissors:
    "M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM21 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM7.7 15.6 16.5 3M16.3 15.6 7.5 3",
  "turn-left": "M5 12a7 7 0 1 0 2.3-5.2M5 4v4h4",
  "turn-right": "M19 12a7 7 0 1 1-2.3-5.2M19 4v4h-4",
  copy: "M9 9h10v11H9zM5 15V4h10",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  // A page with a lock: the sign of the app.
  mark: "M6 20.5v-17h7l5 5V12M13 3.5v5h5M6 20.5h4M13.5 16h7v4.5h-7zM15 16v-1.3a2 2 0 0 1 4 0V16",
} as const;

/** What the icons show. */
export type IconName = keyof typeof ICON_PATHS;
