/** What was dropped or pasted. */
export interface DroppedFiles {
  readonly files: readonly File[];
  /** The names of the files and folders that the browser could not read. */
  readonly unread: readonly string[];
}

/** Files and folders that systems and programs put beside the files of the user, in lower case. */
const LITTER: ReadonlySet<string> = new Set(
  "desktop.ini thumbs.db ehthumbs.db ehthumbs_vista.db $recycle.bin __macosx icon\r @eadir"
    .split(" ")
    .concat("system volume information"),
);

/**
 * Returns the files of a drop or a paste. Those of a folder, and of the folders in it, are included, but not the hidden ones
 * and those that the system keeps there, such as `Thumbs.db`.
 *
 * @param transfer must be of an event that is being dispatched: afterwards the browser empties it
 */
export async function filesOf(transfer: DataTransfer): Promise<DroppedFiles> {
  const entries = Array.from(transfer.items, (item) =>
    item.kind === "file" ? item.webkitGetAsEntry() : null,
  ).filter((entry) => entry !== null);
  const plain = [...transfer.files];
  // Pasted pictures have no entry.
  if (entries.length === 0) return { files: plain, unread: [] };
  return joined(await Promise.all(entries.map(filesUnder)));
}

async function filesUnder(entry: FileSystemEntry): Promise<DroppedFiles> {
  try {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      return { files: [file], unread: [] };
    }
    if (!isDirectory(entry)) return { files: [], unread: [] };
    const entries = (await entriesOf(entry)).filter(({ name }) => !isLitter(name));
    entries.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
    return joined(await Promise.all(entries.map(filesUnder)));
  } catch (error) {
    // It is gone, or the user may not read it. The others are there.
    if (!(error instanceof DOMException)) throw error;
    return { files: [], unread: [entry.name] };
  }
}

/** Whether a file or folder in a folder is not one of the user. */
function isLitter(name: string): boolean {
  // "~$" begins the names of the files that Office writes beside an open document.
  return name.startsWith(".") || name.startsWith("~$") || LITTER.has(name.toLowerCase());
}

function joined(parts: readonly DroppedFiles[]): DroppedFiles {
  return { files: parts.flatMap(({ files }) => files), unread: parts.flatMap(({ unread }) => unread) };
}

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // Browsers return at most a hundred at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
