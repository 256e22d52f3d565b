/**
 * Returns the files of a drop or a paste. Those of a folder, and of the folders in it, are included.
 *
 * @param transfer must be of an event that is being dispatched: afterwards the browser empties it
 */
export async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = Array.from(transfer.items, (item) =>
    item.kind === "file" ? item.webkitGetAsEntry() : null,
  ).filter((entry) => entry !== null);
  const plain = [...transfer.files];
  // Pasted pictures have no entry.
  if (entries.length === 0) return plain;
  return (await Promise.all(entries.map(filesUnder))).flat();
}

async function filesUnder(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectory(entry)) return [];
  const entries = await entriesOf(entry);
  const visible = entries.filter(({ name }) => !name.startsWith("."));
  visible.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  return (await Promise.all(visible.map(filesUnder))).flat();
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
