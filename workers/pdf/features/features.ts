import { attachments } from "./attachments.ts";
import { baseAddress, language, version, viewing } from "./catalog-entries.ts";
import { destinations } from "./destinations.ts";
import type { Feature } from "./feature.ts";
import { form } from "./form/form.ts";
import { labels } from "./labels.ts";
import { layers } from "./layers/layers.ts";
import { metadata } from "./metadata/metadata.ts";
import { outline } from "./outline/outline.ts";
import { outputIntents } from "./output-intents.ts";
import { tags } from "./tags/tags.ts";

/** The features of documents: a row for each. They may lead to objects that show text. */
export const FEATURES: readonly Feature<unknown>[] = [
  version,
  language,
  baseAddress,
  form,
  labels,
  destinations,
  outline,
  viewing,
  attachments,
  outputIntents,
  metadata,
];

/** The features that describe copied objects, and are copied after them: tags name layers, too. */
export const DESCRIBING_FEATURES: readonly Feature<unknown>[] = [tags, layers];
