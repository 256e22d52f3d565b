import type { HiddenKind } from "../../../src/shared/protocol.ts";
import type { Kind } from "../copy/kinds.ts";

/**
 * What is removed. The names that the field `keep` knows, and two that it does not: `private` always goes, and `drawn` is
 * what flattening has drawn into the pages.
 */
export type Category = HiddenKind | "drawn";

/** Form fields, whose widgets are annotations. */
export const FIELDS: readonly Kind[] = ["annotation", "field"];
const DRAWN: readonly Kind[] = ["XObject", "appearance", "state appearance"];

/** 9.5: the types of fonts that are neither made of glyph procedures nor of other fonts. */
const SIMPLE_FONTS = "Type1 MMType1 TrueType CIDFontType0 CIDFontType2";

/** 12.5.6: annotations that are neither comments nor hold files or media. */
const OTHER_ANNOTATIONS = words("Link Widget PrinterMark TrapNet Watermark");
/** Those of them that nothing shows later. Scripts and actions show hidden fields. */
export const STATIC_ANNOTATIONS = words("Link PrinterMark TrapNet Watermark");

/** Entries of dictionaries that hold something to remove. The entry is removed, the dictionary stays. */
export interface EntryPlace {
  /** The kinds of the dictionary. `any`: every dictionary whose keys have a meaning. */
  readonly in: readonly Kind[] | "any";
  readonly keys: readonly string[];
  /** The values of `Subtype` that the dictionary must have. */
  readonly subtypes?: ReadonlySet<string>;
  /** The categories, any of which removes it. */
  readonly category: Category | readonly Category[];
}

/** The first table: every entry that can hold something of a category. */
export const ENTRY_PLACES: readonly EntryPlace[] = [
  // ISO 32000-2, 14.3: the information dictionary and XMP, which any object may have. Threads have information, too.
  { in: ["trailer"], keys: ["Info"], category: "metadata" },
  { in: "any", keys: ["Metadata"], category: "metadata" },
  { in: ["thread"], keys: ["I"], category: "metadata" },
  // 8.11.4.3 and 8.11.4.4: which program made layers, and for whom. 7.11.3: which version of a file a link leads to.
  { in: ["layer configuration"], keys: ["Creator"], category: "metadata" },
  { in: ["description"], keys: ["CreatorInfo", "User"], category: "metadata" },
  { in: ["file"], keys: ["ID"], category: "metadata" },
  // 12.5.2: when an annotation that is no comment was changed. The dates of comments go and stay with them.
  {
    in: ["annotation"],
    keys: ["M", "CreationDate"],
    subtypes: OTHER_ANNOTATIONS,
    category: "metadata",
  },
  // 12.5.6.2: the author and the subject of a comment, in an annotation that is none.
  { in: ["annotation"], keys: ["T", "Subj", "RC"], subtypes: STATIC_ANNOTATIONS, category: "metadata" },

  // 12.6.3: actions by events. 12.6.4.17: scripts of the document, of renditions. 12.7.3: the order of calculations.
  { in: "any", keys: ["AA", "JS"], category: "scripts" },
  // 13.6.3 and 13.7.2.3: scripts of scenes in 3D and of rich media.
  { in: "any", keys: ["OnInstantiate", "Scripts"], category: "scripts" },
  { in: ["name trees"], keys: ["JavaScript"], category: "scripts" },
  { in: ["form"], keys: ["CO"], category: "scripts" },
  // 12.11: a requirement may name a script that checks it.
  { in: ["catalog"], keys: ["Requirements"], category: "scripts" },
  // 12.7.8: a second form in XML, with scripts, metadata and files of its own.
  { in: ["form"], keys: ["XFA"], category: ["scripts", "metadata", "attachments", "drawn"] },

  // 7.11.4: files. 14.13: associated files. 12.3.5: collections. 13.2 and 13.5: media. 13.7: rich media.
  {
    in: ["name trees"],
    keys: ["EmbeddedFiles", "Renditions", "AlternatePresentations"],
    category: "attachments",
  },
  { in: "any", keys: ["AF", "EF", "RF", "Sound", "Movie"], category: "attachments" },
  { in: ["catalog"], keys: ["Collection"], category: "attachments" },

  // 12.5.6.2: the popup of a markup annotation, and the annotation that it answers.
  { in: ["annotation"], keys: ["Popup", "IRT"], category: "comments" },

  // 14.5: private data of programs. 12.3.4: thumbnails. 14.10: web capture.
  { in: "any", keys: ["PieceInfo", "LastModified", "Thumb", "SpiderInfo"], category: "private" },
  // 14.7.6.4: properties of programs in tags.
  { in: ["attributes"], keys: ["P"], category: "private" },
  // 12.8: signatures, which are invalid in another file, and what belongs to them.
  { in: FIELDS, keys: ["Lock", "SV"], category: "private" },
  { in: ["form"], keys: ["SigFlags"], category: "private" },

  // What another type of object has. Readers do not look at it.
  { in: DRAWN, keys: ["Resources"], subtypes: words("Image"), category: "private" },
  {
    in: DRAWN,
    keys: ["ColorSpace", "CS", "Mask", "SMask", "Alternates"],
    subtypes: words("Form"),
    category: "private",
  },
  {
    in: ["font"],
    keys: ["CharProcs", "Resources"],
    subtypes: words(`Type0 ${SIMPLE_FONTS}`),
    category: "private",
  },
  { in: ["font"], keys: ["DescendantFonts"], subtypes: words(`Type3 ${SIMPLE_FONTS}`), category: "private" },

  { in: ["catalog"], keys: ["AcroForm"], category: "drawn" },
];

/**
 * 12.5 and 12.7.4: the entries of all types of annotations, and of fields in one dictionary with them. Editors turn free text by
 * `Rotate`.
 */
const OF_ANNOTATIONS = words(
  "Type Subtype Rect Contents P NM M F AP AS Border C StructParent OC AF ca CA BM Lang " +
    "T Popup RC CreationDate IRT Subj RT IT ExData Open Name State StateModel A Dest H PA QuadPoints BS " +
    "DA Q DS CL BE RD LE L IC LL LLE Cap LLO CP Measure CO Vertices Path Sy InkList Parent FS Sound Movie MK AA MN " +
    "LastModified Version AnnotStates FontFauxing FixedPrint 3DD 3DV 3DA 3DI 3DB 3DU RichMediaSettings RichMediaContent " +
    "RO OverlayText Repeat Rotate FT Kids TU TM Ff V DV DR RV Opt TI I MaxLen Lock SV Metadata",
);
/** 12.6.4: the entries of all types of actions but of those to document parts, which go, and of the activation of a movie (13.4). */
const OF_ACTIONS = words(
  "Type S Next D SD F NewWindow T Win Mac Unix B URI IsMap Sound Volume Synchronous Repeat Mix Annotation Operation H N " +
    "Fields Flags CharSet JS State PreserveRB R AN OP Trans TA V TI CMD " +
    "Start Duration Rate ShowControls Mode FWScale FWPosition",
);

/**
 * The second table: for some kinds, all entries that may stay. Any other entry of them is private data: of a program, or
 * of a later version of PDF.
 */
export const KNOWN_ENTRIES: Partial<Record<Kind, ReadonlySet<string>>> = {
  trailer: words("Root Info ID Encrypt Size Prev XRefStm Type W Index Length Filter DecodeParms"),
  catalog: words(
    "Type Version Extensions Pages PageLabels Names Dests ViewerPreferences PageLayout PageMode Outlines Threads OpenAction " +
      "AA URI AcroForm Metadata StructTreeRoot MarkInfo Lang OutputIntents OCProperties Requirements Collection " +
      "NeedsRendering AF",
  ),
  "name trees": words("Type Dests JavaScript EmbeddedFiles Renditions AlternatePresentations"),
  thread: words("Type F I Metadata"),
  bead: words("Type T N V P R"),
  file: words("Type FS F UF DOS Mac Unix ID V EF RF Desc CI Thumb EP AFRelationship"),
  "layer properties": words("OCGs D Configs"),
  "layer configuration": words("Name Creator BaseState ON OFF Intent AS Order ListMode RBGroups Locked"),
  contents: words("Length Filter DecodeParms"),
  // Acrobat lists encodings in the default resources of forms.
  resources: words("ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties Encoding"),
  page: words(
    "Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo Contents Rotate Group B Dur Trans Annots " +
      "AA Metadata StructParents SeparationInfo Tabs PresSteps UserUnit VP AF OutputIntents",
  ),
  // 12.5.6 and 12.7.4: annotations of all types, which may be fields, and fields that are no annotation.
  annotation: OF_ANNOTATIONS,
  field: words(
    "Type FT Parent Kids T TU TM Ff V DV AA DA Q DS RV Opt TI I MaxLen Lock SV DR Rect P F MK Metadata",
  ),
  form: words("Fields NeedAppearances SigFlags CO DR DA Q XFA"),
  action: OF_ACTIONS,
  "outline item": words("Type Title Parent Prev Next First Last Count Dest A SE C F"),
  layer: words("Type Name Intent Usage Metadata"),
  membership: words("Type OCGs P VE"),
  structure: words(
    "Type K IDTree ParentTree ParentTreeNextKey RoleMap ClassMap Namespaces PronunciationLexicon AF Metadata",
  ),
  // 14.7.5: marked content and objects in elements, too.
  element: words(
    "Type S P ID Ref Pg K A C R T Lang Alt E ActualText AF NS PhoneticAlphabet Phoneme Metadata Stm StmOwn MCID Obj",
  ),
  font: words(
    "Type Subtype Name BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode FontBBox FontMatrix CharProcs " +
      "Resources DescendantFonts CIDSystemInfo DW W DW2 W2 CIDToGIDMap Metadata",
  ),
  "graphics state": words(
    "Type LW LC LJ ML D RI OP op OPM Font BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM SMask CA ca AIS TK UseBlackPtComp HTO",
  ),
  "soft mask": words("Type S G BC TR"),
  group: words("Type S CS I K"),
  "font descriptor": words(
    "Type FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight " +
      "StemV StemH AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 CharSet Style Lang FD CIDSet Metadata",
  ),
  "font file": words("Length Filter DecodeParms Length1 Length2 Length3 Type Subtype Metadata"),
  appearances: words("N R D"),
  icons: words("R BC BG CA RC AC I RI IX IF TP"),
  "alternate image": words("Image DefaultForPrinting OC"),
  transition: words("Type S D Dm M Di SS B Sound"),
  "navigation node": words("Type NA PA Next Prev Dur"),
  destination: words("D SD"),
  "destination tree": words("Kids Names Limits"),
  "action tree": words("Kids Names Limits"),
  "element tree": words("Type Kids Names Nums Limits"),
  namespace: words("Type NS Schema RoleMapNS"),
  "viewer preferences": words(
    "Type HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction ViewArea " +
      "ViewClip PrintArea PrintClip PrintScaling Duplex PickTrayByPDFSize PrintPageRange NumCopies Enforce",
  ),
  "mark information": words("Type Marked UserProperties Suspects"),
  "output intent": words(
    "Type S OutputCondition OutputConditionIdentifier RegistryName Info DestOutputProfile DestOutputProfileRef MixingHints " +
      "SpectralData Metadata",
  ),
  pattern: words(
    "Type PatternType Shading Matrix ExtGState PaintType TilingType BBox XStep YStep Resources Length Filter DecodeParms Metadata",
  ),
  ...Object.fromEntries(
    DRAWN.map((kind) => [
      kind,
      words(
        "Type Subtype Length Filter DecodeParms OC StructParent StructParents Name Measure PtData Metadata AF " +
          "FormType BBox Matrix Resources Group " +
          "Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate Alternates SMask SMaskInData " +
          "Matte PatternType PaintType TilingType XStep YStep",
      ),
    ]),
  ),
};

/**
 * The short names of entries in inline images (8.9.7, Table 91), and what they mean. Readers take them in all streams that lack the
 * long ones, and so does Stayput for filters.
 */
export const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    F: "Filter",
    DP: "DecodeParms",
    W: "Width",
    H: "Height",
    BPC: "BitsPerComponent",
    CS: "ColorSpace",
    D: "Decode",
    IM: "ImageMask",
    I: "Interpolate",
  }),
);

/** Known entries that hold names, numbers, texts and lists of them. Anything else in them has no meaning. */
export const PLAIN_ENTRIES = words(
  "Type Subtype S Version PageLayout PageMode Lang NeedsRendering MediaBox CropBox BleedBox TrimBox ArtBox Rotate Dur " +
    "StructParents StructParent Tabs UserUnit ProcSet Rect Contents NM M Border ca CA BM Subj RT IT Open Name StateModel H QuadPoints " +
    "DA Q DS CL RD LE LL LLE Cap LLO CP Vertices Sy InkList FT TU TM Ff MaxLen FormType BBox Matrix Width Height BitsPerComponent " +
    "ImageMask Decode Interpolate SMaskInData Matte W BPC IM D I BaseFont FirstChar LastChar Widths FontBBox FontMatrix DW DW2 W2 " +
    "FontName FontFamily FontStretch FontWeight Flags ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth " +
    "MaxWidth MissingWidth CharSet Title Count Alt ActualText E Intent",
);

/** Kinds whose keys documents may choose, although some have a meaning. */
export const WITH_OWN_KEYS: ReadonlySet<Kind> = new Set([
  "description",
  "attributes",
  "attribute classes",
] as const);

/** Annex E: entries of programs begin with the name of their maker. TeX writes `PTEX.FileName`. */
export const OF_PROGRAM = /^([A-Za-z]{2,}[:_.]|XX)/;

/** Objects to remove, by an entry that says what they are. */
export interface ObjectPlace {
  readonly is: readonly Kind[] | "any";
  readonly key: string;
  /** The values of the entry. `unless`: all others than these, and no value. */
  readonly values?: ReadonlySet<string>;
  readonly unless?: ReadonlySet<string>;
  readonly category: Category;
}

/** 12.6.4: actions that run, send, read or open something. */
const SCRIPTS = words("JavaScript Launch SubmitForm ImportData");
const MEDIA_ACTIONS = words("Movie Sound Rendition RichMediaExecute GoToE GoTo3DView");
const OTHER_ACTIONS = words("GoTo GoToR GoToDp URI Named Hide SetOCGState ResetForm Thread Trans");
/** 12.5.6: annotations with a file or media. */
const MEDIA_ANNOTATIONS = words("FileAttachment Sound Movie Screen 3D RichMedia");

/** 14.8.5: the owners of attributes that the standard knows. Attributes without an owner are of no program. */
const ATTRIBUTE_OWNERS = new Set([
  ...words(
    "Layout List PrintField Table Artifact FENote NSO UserProperties XML-1.00 HTML-3.20 HTML-4.01 HTML-5.00 OEB-1.00",
  ),
  ...words("RTF-1.05 CSS-1.00 CSS-2.00 CSS-3.00 RDFa-1.10 ARIA-1.1"),
  "",
]);

/** The third table: every object that is of a category as a whole. */
export const OBJECT_PLACES: readonly ObjectPlace[] = [
  { is: ["action"], key: "S", values: SCRIPTS, category: "scripts" },
  { is: ["action"], key: "S", values: MEDIA_ACTIONS, category: "attachments" },
  // An action of an unknown type may do anything.
  { is: ["action"], key: "S", unless: new Set([...MEDIA_ACTIONS, ...OTHER_ACTIONS]), category: "scripts" },
  { is: ["other"], key: "S", values: SCRIPTS, category: "scripts" },
  { is: ["annotation"], key: "Subtype", values: MEDIA_ANNOTATIONS, category: "attachments" },
  {
    is: ["annotation"],
    key: "Subtype",
    unless: new Set([...MEDIA_ANNOTATIONS, ...OTHER_ANNOTATIONS]),
    category: "comments",
  },
  // 14.7.6: attributes of programs.
  { is: ["attributes"], key: "O", unless: ATTRIBUTE_OWNERS, category: "private" },
  // What has been drawn, and what was not to be seen. Links work on.
  { is: ["annotation"], key: "Subtype", unless: words("Link"), category: "drawn" },
  // 8.8: no reader draws other objects. PostScript is for printers.
  { is: DRAWN, key: "Subtype", unless: new Set(["Form", "Image", ""]), category: "private" },
  { is: "any", key: "Type", values: words("Metadata"), category: "metadata" },
  {
    is: "any",
    key: "Type",
    values: words("EmbeddedFile Rendition MediaClip Sound 3D"),
    category: "attachments",
  },
  { is: "any", key: "Type", values: words("Sig DocTimeStamp Template DPart DPartRoot"), category: "private" },
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
