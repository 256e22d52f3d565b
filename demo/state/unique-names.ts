/**
 * Returns the files under names that differ, ignoring case: `a.jpg`, `a (2).jpg`.
 *
 * @param others names that none of the files may have
 */
export function uniquelyNamed(files: readonly File[], others: readonly string[] = []): readonly File[] {
  const taken = new Set(others.map((name) => name.toLowerCase()));
  return files.map((file) => {
    const dot = file.name.lastIndexOf(".");
    const [stem, extension] = dot > 0 ? [file.name.slice(0, dot), file.name.slice(dot)] : [file.name, ""];
    let name = file.name;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension}`;
    taken.add(name.toLowerCase());
    return name === file.name ? file : new File([file], name, { type: file.type });
  });
}
