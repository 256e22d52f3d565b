/**
 * The client: what a page imports.
 *
 * @module stayput
 */
export type { AskPassword, PasswordRequest } from "./ask-password.ts";
export type { CallOptions } from "./call-options.ts";
export type { Place } from "./choose-converter.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export type { Converter, ConverterRequest } from "./converter/converter.ts";
export type { ClientResult, FileInput, ServiceResult } from "./downloads.ts";
export type { InspectParams } from "./inspect.ts";
export type {
  CleanParams,
  CompressParams,
  ConvertParams,
  MergeParams,
  OutputFormat,
  ProtectParams,
  Rotation,
  SequenceMerge,
  SplitParams,
  SplitWays,
  UnlockParams,
  WholeMerge,
} from "./operation-params.ts";
export type { TrustedScriptURL } from "./pool/worker-source.ts";
export type { ReadTextParams } from "./read-text.ts";
export type { FileDigest, Receipt } from "./receipt.ts";
export type { RemoteOptions, RemoteRequest } from "./remote/options.ts";
export type { RenderParams } from "./render-pages.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorOf,
  ServiceError,
  type ServiceErrorClass,
  type WireError,
} from "./shared/errors.ts";
export {
  CLEANED,
  type Cleaned,
  type HiddenData,
  type HiddenKind,
  type Inspection,
  type OutlineEntry,
  type PageText,
  PERMISSIONS,
  type Permission,
  type Phase,
  type Progress,
  type RenderedPage,
  type SequenceEntry,
  type ShownSize,
  type SplitPart,
  type TextWord,
} from "./shared/protocol.ts";
