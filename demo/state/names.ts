/**
 * Returns the files under names that differ, ignoring case: `a.jpg`, `a (2).jpg`.
 *
 * @param others names that none of the files may have
 */
export function uniquelyNamed(files: readonly File[], others: readonly string[] = []): readonly File[] {
  const taken = new Set(others.map((name) => name.toLowerCase()));
  return files.map((file) => {
    const [stem, extension] = nameParts(file.name);
    let name = file.name;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension}`;
    taken.add(name.toLowerCase());
    return withName(file, name);
  });
}

/** Returns a name without its extension, and the extension with its dot. */
export function nameParts(name: string): readonly [string, string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/** Returns a file under a name. */
export function withName(file: File, name: string): File {
  return name === file.name ? file : new File([file], name, file);
}
