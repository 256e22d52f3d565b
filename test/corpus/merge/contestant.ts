export { NativeQpdf as QpdfMerger, OurEngine as OurMerger } from "../split/contestant.ts";
