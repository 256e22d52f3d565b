import { type ObjectSource, PdfDict, type PdfObject, PdfRef, PdfStream, PdfString } from "./objects.ts";

/** The approximate memory of an array, a dictionary or a string, in addition to its bytes. */
export const PART_BYTES = 160;

/** Counts the arrays, dictionaries and strings in an object. Stops shortly after `most`. */
export function countParts(object: PdfObject, most: number): number {
  return addParts(object, 0, most);
}

/** Adds to a count. The parser bounds the depth. */
function addParts(object: PdfObject, before: number, most: number): number {
  if (typeof object !== "object" || object === null || before > most) return before;
  const dict = object instanceof PdfStream ? object.dict : object;
  let parts = before;
  if (dict instanceof PdfDict) {
    parts++;
    const { size } = dict;
    for (let index = 0; index < size; index++) parts = addParts(dict.valueAt(index), parts, most);
  } else if (Array.isArray(object)) {
    parts++;
    for (const item of object) parts = addParts(item, parts, most);
  } else if (object instanceof PdfString) parts++;
  return parts;
}

/**
 * Returns an object with every part that holds no other object replaced by `change`. Copies only what changes. The parser
 * bounds the depth.
 *
 * @param change gets the part, and its key and dictionary if it is an entry of one
 */
export function mapLeaves<Value extends PdfObject>(object: Value, change: LeafChange): Value;
export function mapLeaves(object: PdfObject, change: LeafChange): PdfObject {
  return mapped(object, change);
}

type LeafChange = (leaf: PdfObject, key?: string, owner?: PdfDict) => PdfObject;

function mapped(object: PdfObject, change: LeafChange, key?: string, owner?: PdfDict): PdfObject {
  if (object instanceof PdfStream) {
    const dict = mapLeaves(object.dict, change);
    return dict === object.dict ? object : new PdfStream(dict, object.data);
  }
  if (Array.isArray(object)) {
    let copy: PdfObject[] | undefined;
    for (let index = 0; index < object.length; index++) {
      const item = object[index] ?? null;
      const changed = mapped(item, change);
      if (changed === item) continue;
      copy ??= object.slice();
      copy[index] = changed;
    }
    return copy ?? object;
  }
  if (!(object instanceof PdfDict)) return change(object, key, owner);
  let copy: PdfDict | undefined;
  for (let index = 0; index < object.size; index++) {
    const value = object.valueAt(index);
    const changed = mapped(value, change, object.keyAt(index), object);
    if (changed === value) continue;
    copy ??= object.clone();
    copy.setValueAt(index, changed);
  }
  return copy ?? object;
}

/** Returns an object as one of the file `source`: its references lead to objects of that file. */
export function boundTo<Value extends PdfObject>(source: ObjectSource, object: Value): Value;
export function boundTo(source: ObjectSource, object: PdfObject): PdfObject {
  if (object instanceof PdfRef) return new PdfRef(object.num, object.gen, source);
  if (Array.isArray(object)) return object.map((item) => boundTo(source, item));
  if (object instanceof PdfStream) return new PdfStream(boundTo(source, object.dict), object.data);
  if (!(object instanceof PdfDict)) return object;
  const flat: (string | PdfObject)[] = [];
  for (let index = 0; index < object.size; index++) {
    flat.push(object.keyAt(index), boundTo(source, object.valueAt(index)));
  }
  return new PdfDict(flat, source);
}
