/** A substitute typeface: two files that the app serves. */
export interface Face {
  readonly regular: string;
  readonly bold: string;
}

const noto = (name: string, extension: string): Face => ({
  regular: `${name}-Regular.${extension}`,
  bold: `${name}-Bold.${extension}`,
});

/** The typefaces of the packages `@embedpdf/fonts-…`. */
export const FACES = {
  japanese: noto("NotoSansJP", "otf"),
  korean: noto("NotoSansKR", "otf"),
  simplifiedChinese: noto("NotoSansHans", "otf"),
  traditionalChinese: noto("NotoSansHant", "otf"),
  arabic: noto("NotoNaskhArabic", "ttf"),
  hebrew: noto("NotoSansHebrew", "ttf"),
  /** Also Greek and Cyrillic. */
  latin: noto("NotoSans", "ttf"),
} as const satisfies Readonly<Record<string, Face>>;
