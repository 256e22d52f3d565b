import type { Random } from "../random.ts";
import type { Mutation } from "../target.ts";
import type { FormModel, Part } from "./form-model.ts";

const NAMES = [
  ...[
    "file",
    "password",
    "pages",
    "output_format",
    "quality",
    "dpi",
    "every",
    "by",
    "max_bytes",
    "permissions",
  ],
  ...[
    "passwort",
    "Password",
    "output-format",
    "outputFormat",
    "pagess",
    "fil",
    "x",
    "",
    " ",
    "utf8",
    "token",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "then", "length", "file[]", "file.name"],
  ...['na"me', "na\r\nme", "na\0me", "näme", "\u{1f4c4}", "%22", "a".repeat(201), "b".repeat(70_000)],
];
const FILE_NAMES = [
  ...[
    "",
    ".",
    "..",
    ".pdf",
    "../../etc/passwd",
    "C:\\a\\b.pdf",
    "a/b/",
    "a\0b.pdf",
    "a\r\nb.pdf",
    '"',
    "%22%0a%2f",
  ],
  ...[
    "\u202egnp.pdf",
    "e\u0301.pdf",
    "\u{1f4c4}.pdf",
    "%",
    "%zz",
    "a".repeat(5000),
    "CON",
    " ",
    "file.tar.gz",
  ],
];
const VALUES = [
  ...[
    "",
    " ",
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "1e3",
    "1e309",
    "NaN",
    "Infinity",
    "0x10",
    "0b1",
    "1_000",
    "١",
    "２",
  ],
  ...[
    "9007199254740993",
    "9".repeat(400),
    " 1 ",
    "1\n",
    "true",
    "TRUE",
    "on",
    "off",
    "null",
    "undefined",
    "[]",
    "{}",
  ],
  ...[
    "1-",
    "-1",
    "1-2-3",
    "last-1",
    "1,,2",
    "1;2",
    "all",
    "odd",
    "even",
    "3-1",
    "1-999999999999",
    "0-0",
    ",",
    "1 , 2",
  ],
  ...[
    "pdf",
    "PDF",
    "jpeg",
    "docx",
    "exe",
    "zip",
    "__proto__",
    "outline",
    "OUTLINE",
    "a4",
    "A4",
    "print,print",
    "print;x",
  ],
  ...[
    "red",
    "#fff",
    "rgb(1,2,3)",
    "url(x)",
    "a".repeat(100_000),
    "\u0000",
    "\ufffd",
    "&#8364;",
    "\ud800",
    "🙂",
  ],
];
const CONTENTS = [
  ...[
    "",
    "%PDF-1.7\n",
    "PK\x03\x04",
    "\xff\xd8\xff",
    "\x89PNG\r\n\x1a\n",
    "GIF89a",
    "BM",
    "{\\rtf1",
    "x",
    "\0",
  ],
  ...["RIFF\0\0\0\0WEBPVP8 ", "\0\0\0\x18ftypheic", "\0\0\0\x18ftypavif", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
];
const BOUNDARIES = [
  ...[
    "a",
    "-",
    "--",
    "",
    " ",
    "a b",
    "a.b*c+(d)[e]{f}|g^h$i\\j?",
    "'x'",
    "x".repeat(70),
    "x".repeat(500),
    "é",
  ],
];
const MOST_PARTS = 30_000;

const partOf = ({ parts }: FormModel, random: Random): Part | undefined => random.pickAny(parts);

/** Changes to forms and to the requests that carry them. */
export const FORM_MUTATIONS: readonly Mutation<FormModel>[] = [
  onPart("name", (part, random) => {
    part.name = random.pick(NAMES);
  }),
  onPart("name with a typo", (part, random) => {
    const at = random.below(part.name.length + 1);
    part.name = part.name.slice(0, at) + random.pick(["", "s", "-", "_", "X"]) + part.name.slice(at + 1);
  }),
  onPart("name of a file", (part, random) => {
    part.fileName = random.pick(FILE_NAMES);
  }),
  onPart("text in place of a file", (part) => {
    delete part.fileName;
  }),
  onPart("value", (part, random) => {
    part.content = Buffer.from(random.pick(VALUES));
  }),
  onPart("value", (part, random) => {
    part.content = Buffer.from(random.pick(VALUES));
  }),
  onPart("content", (part, random) => {
    part.content = Buffer.from(random.pick(CONTENTS), "latin1");
  }),
  onPart("another encoding", (part, random) => {
    part.content = Buffer.from("Schlüssel €", random.pick(["latin1", "utf16le"]));
  }),
  onPart("random bytes", (part, random) => {
    part.content = random.bytes(random.size(2000));
  }),
  onPart("its boundary inside", (part, random, { boundary, lineBreak }) => {
    const inside = Buffer.from(`${lineBreak}--${boundary}${random.pick(["", "-", "--", "x"])}${lineBreak}`);
    part.content = Buffer.concat([part.content, inside, part.content]);
  }),
  onPart("header", (part, random) => {
    const name = `name="${part.name}"`;
    part.header = random.pick([
      `content-disposition: FORM-DATA; ${name}`,
      `Content-Disposition: form-data; name=${part.name}`,
      `Content-Disposition: form-data; ${name}; filename*=UTF-8''%e2%82%ac.pdf`,
      `Content-Disposition: form-data; ${name}; filename="a.pdf"; filename="b.png"`,
      `Content-Disposition: attachment; ${name}`,
      "Content-Disposition: form-data",
      "Content-Type: multipart/mixed; boundary=inner",
      `Content-Disposition: form-data; ${name}\r\nContent-Transfer-Encoding: base64`,
      `X: ${"y".repeat(20_000)}\r\nContent-Disposition: form-data; ${name}`,
      "",
    ]);
  }),
  (form, random) => {
    form.parts.splice(random.below(form.parts.length || 1), 1);
    return "a field left out";
  },
  (form, random) => {
    const part = partOf(form, random);
    const times = random.chance(0.1) ? random.size(MOST_PARTS) : 1;
    if (!part || part.content.length * times > 2 ** 20) return undefined;
    form.parts.push(...Array.from({ length: times }, () => ({ ...part })));
    return `${part.name} ${times} times more`;
  },
  (form, random) => {
    form.parts.push({ name: random.pick(NAMES), content: Buffer.from(random.pick(VALUES)) });
    return "a field more";
  },
  (form, random) => {
    form.boundary = random.pick(BOUNDARIES);
    return `boundary ${JSON.stringify(form.boundary.slice(0, 40))}`;
  },
  (form, random) => {
    const { boundary } = form;
    form.contentType = random.pick([
      ...["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=other"],
      ...[
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/mixed; boundary=x",
        "application/json",
      ],
      `multipart/form-data; boundary="${boundary}"`,
      `MULTIPART/FORM-DATA;BOUNDARY=${boundary}`,
      `multipart/form-data; charset=latin1; boundary=${boundary}; x=y`,
      `multipart/form-data; boundary="${boundary}`,
      `multipart/form-data; boundary=${boundary}; boundary=other`,
      `multipart/form-data; xboundary=no; boundary=${boundary}`,
    ]);
    return `content type ${form.contentType}`;
  },
  (form, random) => {
    form.lineBreak = random.pick(["\n", "\r", "\n\r"]);
    return "other line breaks";
  },
  (form, random) => {
    form.end = random.pick([
      "",
      "--",
      `--${form.boundary}`,
      `--${form.boundary}--`,
      `--${form.boundary}--\r\nmore`,
    ]);
    return "another end";
  },
  (form, random) => {
    form.method = random.pick(["GET", "PUT", "OPTIONS", "HEAD", "DELETE", "PATCH"]);
    return form.method;
  },
  (form, random) => {
    const { path } = form;
    form.path = random.pick([
      ...[path.toUpperCase(), `/${path}`, `${path}/`, `${path};x=y`, `${path}?a=b`, `${path}#c`],
      ...[path.replace("/api", "/api/."), path.replaceAll("/", "%2f"), path.replace("a", "%61"), "/api/none"],
      ...["/api/", `/api/${"x".repeat(3000)}`, path.replace("/api", "\\api"), "/api/__proto__"],
    ]);
    return `path ${form.path.slice(0, 40)}`;
  },
  (form, random) => {
    const key = "k".repeat(20_000);
    form.authorization = random.pick([
      "",
      "Basic a2V5",
      "bearer  key ",
      "Bearer",
      "Bearer a b",
      `Bearer ${key}`,
    ]);
    return "another authorization";
  },
];

function onPart(
  what: string,
  change: (part: Part, random: Random, form: FormModel) => void,
): Mutation<FormModel> {
  return (form, random) => {
    const part = partOf(form, random);
    if (!part) return undefined;
    const { name } = part;
    change(part, random, form);
    return `${name.slice(0, 40)}: ${what}`;
  };
}
