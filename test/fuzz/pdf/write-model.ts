import { deflateSync } from "node:zlib";
import type { Model, ModelObject } from "./model.ts";

type Row = readonly [kind: number, second: number, third: number];

/** Puts a model together as a file whose offsets and counts are true, but for what its layout lies about. */
export function writeModel(model: Model): Uint8Array {
  return new ModelWriter(model).write();
}

class ModelWriter {
  readonly #model: Model;
  readonly #parts: Buffer[] = [];
  readonly #rows = new Map<number, Row>();
  #length = 0;
  #next: number;

  constructor(model: Model) {
    this.#model = model;
    this.#next = model.objects.reduce((highest, { num }) => Math.max(highest, num), 0) + 1;
  }

  write(): Uint8Array {
    const { header, objects, layout } = this.#model;
    this.#text(header);
    const packs = layout.crossReference !== "table";
    for (const object of objects) if (!packs || !isPackable(object)) this.#object(object);
    if (packs) this.#containers(objects.filter(isPackable));
    const rows = [...this.#rows].sort(([one], [other]) => one - other);
    const sections = Math.max(1, Math.min(layout.sections, rows.length));
    const size = Math.ceil(rows.length / sections);
    let previous: number | undefined;
    for (let from = 0; from < rows.length; from += size) {
      const isLast = from + size >= rows.length;
      previous = this.#section(rows.slice(from, from + size), previous, isLast);
    }
    this.#text(`startxref\n${layout.startxref ?? previous ?? 0}\n%%EOF\n`);
    return Buffer.concat(this.#parts);
  }

  #text(text: string): void {
    this.#bytes(Buffer.from(text, "latin1"));
  }

  #bytes(bytes: Uint8Array): void {
    this.#parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    this.#length += bytes.length;
  }

  #object({ num, gen, text, data, declaredLength }: ModelObject): void {
    this.#rows.set(num, [1, this.#length, gen]);
    this.#text(`${num} ${gen} obj\n`);
    if (!data) {
      this.#text(`${text}\nendobj\n`);
      return;
    }
    const open = text.indexOf("<<");
    const length = `/Length ${declaredLength ?? data.length} `;
    this.#text(`${text.slice(0, open + 2)}${length}${text.slice(open + 2)}\nstream\n`);
    this.#bytes(data);
    this.#text("\nendstream\nendobj\n");
  }

  #containers(packed: readonly ModelObject[]): void {
    const { objectsPerStream, containerEntries } = this.#model.layout;
    for (let from = 0; from < packed.length; from += objectsPerStream) {
      const inside = packed.slice(from, from + objectsPerStream);
      const num = this.#next++;
      let head = "";
      let body = "";
      for (const [index, object] of inside.entries()) {
        head += `${object.num} ${body.length} `;
        body += `${object.text}\n`;
        this.#rows.set(object.num, [2, num, index]);
      }
      const entries = new Map([
        ["Type", "/ObjStm"],
        ["N", String(inside.length)],
        ["First", String(head.length)],
        ["Filter", "/FlateDecode"],
        ...containerEntries,
      ]);
      const data = deflateSync(Buffer.from(head + body, "latin1"));
      this.#object({ num, gen: 0, text: `<<${entriesText(entries)}>>`, data, packed: false });
    }
  }

  /** Writes one section of the cross-reference and returns where it begins. */
  #section(rows: readonly [number, Row][], previous: number | undefined, isLast: boolean): number {
    const { crossReference, sectionEntries } = this.#model.layout;
    const entries = new Map<string, string>();
    if (previous !== undefined) entries.set("Prev", String(previous));
    const lies = isLast ? sectionEntries : [];
    if (crossReference === "stream") return this.#streamSection(rows, new Map([...entries, ...lies]), true);
    const hidden = rows.filter(([, [kind]]) => kind === 2);
    if (hidden.length > 0) {
      const hybrid = this.#streamSection(hidden, new Map(), false);
      entries.set("XRefStm", String(hybrid));
    }
    const start = this.#length;
    this.#text("xref\n0 1\n0000000000 65535 f \n");
    for (const [num, row] of rows) {
      const [kind, second, third] = this.#told(num, row);
      const place = `${String(second).padStart(10, "0")} ${String(third).padStart(5, "0")}`;
      this.#text(`${num} 1\n${kind === 1 ? `${place} n` : "0000000000 00000 f"} \n`);
    }
    const dict = entriesText(new Map([["Size", String(this.#next)], ...entries, ...lies]));
    this.#text(`trailer\n<<${this.#model.trailer} ${dict}>>\n`);
    return start;
  }

  #streamSection(
    rows: readonly [number, Row][],
    entries: ReadonlyMap<string, string>,
    listsItself: boolean,
  ): number {
    const { widths, predictor } = this.#model.layout;
    const start = this.#length;
    const num = this.#next++;
    const listed: readonly [number, Row][] = listsItself ? [...rows, [num, [1, start, 0]]] : rows;
    const width = widths[0] + widths[1] + widths[2];
    const data = Buffer.alloc(listed.length * width);
    for (const [index, [own, row]] of listed.entries()) {
      let at = index * width;
      for (const [field, value] of this.#told(own, row).entries()) {
        const length = widths[field] ?? 0;
        for (let byte = length - 1, rest = value; byte >= 0; byte--, rest = Math.floor(rest / 256)) {
          data[at + byte] = rest & 255;
        }
        at += length;
      }
    }
    const all = new Map([
      ["Type", "/XRef"],
      ["Size", String(this.#next)],
      ["W", `[${widths.join(" ")}]`],
      ["Index", `[${listed.map(([own]) => `${own} 1`).join(" ")}]`],
      ["Filter", "/FlateDecode"],
      ...(predictor ? [["DecodeParms", `<</Predictor 12/Columns ${width}>>`] as const] : []),
      ...entries,
    ]);
    const text = `<<${this.#model.trailer} ${entriesText(all)}>>`;
    const encoded = deflateSync(predictor ? filteredUp(data, width) : data);
    this.#object({ num, gen: 0, text, data: encoded, packed: false });
    return start;
  }

  /** A row as the file tells it. */
  #told(num: number, [kind, second, third]: Row): Row {
    const { offsetLies, generationLies, packedLies } = this.#model.layout;
    if (kind === 2) return [kind, ...(packedLies.get(num) ?? ([second, third] as const))];
    return [kind, Math.max(0, second + (offsetLies.get(num) ?? 0)), generationLies.get(num) ?? third];
  }
}

const isPackable = ({ packed, data, gen }: ModelObject) => packed && !data && gen === 0;

const entriesText = (entries: ReadonlyMap<string, string>) =>
  [...entries].map(([key, value]) => `/${key} ${value}`).join(" ");

function filteredUp(rows: Buffer, width: number): Buffer {
  if (width === 0) return rows;
  const filtered: Buffer[] = [];
  for (let at = 0; at < rows.length; at += width) {
    const row = Buffer.alloc(width + 1, 2);
    for (let byte = 0; byte < width; byte++) {
      row[byte + 1] = (rows[at + byte] ?? 0) - (at > 0 ? (rows[at - width + byte] ?? 0) : 0);
    }
    filtered.push(row);
  }
  return Buffer.concat(filtered);
}
