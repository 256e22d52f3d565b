/** How many letters at the end of a name stay in view: the extension, and what tells files apart. */
const NAME_END = 9;

/** A name in one line. A long one loses its middle, but only to the eye: screen readers and the title have all of it. */
export function FileName({ name }: { readonly name: string }) {
  const letters = [...name];
  return (
    <span class="file-name" title={name}>
      <span class="visually-hidden">{name}</span>
      <span class="name-begin" aria-hidden="true" data-text={letters.slice(0, -NAME_END).join("")} />
      <span aria-hidden="true" data-text={letters.slice(-NAME_END).join("")} />
    </span>
  );
}

/** A text with a file name, which is the part that gets shorter. */
export function WithName({ text, name }: { readonly text: string; readonly name: string }) {
  const [before, ...after] = text.split(name);
  return (
    <span class="with-name">
      {before}
      <FileName name={name} />
      {after.join(name)}
    </span>
  );
}
