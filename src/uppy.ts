/**
 * The plugin for Uppy.
 *
 * @module stayput/uppy
 */
import { BasePlugin, type Body, type Meta, type PluginOpts, type Uppy, type UppyFile } from "@uppy/core";
import {
  checkNames,
  checkOptions,
  convertedName,
  convertUpload,
  type UploadOptions,
  uploadName,
  uploadOptions,
} from "./upload/convert-upload.ts";

export type { ImageFormat, UploadFile, UploadImage, UploadOptions } from "./upload/convert-upload.ts";

/** The options of {@link StayputConverter}. */
export interface StayputConverterOptions extends UploadOptions, PluginOpts {}

/** The options of every plugin. */
const OF_UPPY = Object.keys({ id: true, locale: true } satisfies Record<keyof PluginOpts, true>);

/**
 * A plugin for Uppy that converts images, and compresses PDFs, before they are uploaded. A file for which that fails gets the error, and
 * the other files are uploaded.
 *
 * @example
 * uppy.use(StayputConverter, { client: createClient(), to: "jpg", quality: 0.85 });
 */
export class StayputConverter<M extends Meta, B extends Body> extends BasePlugin<
  StayputConverterOptions,
  M,
  B
> {
  /** The files that this plugin has made. Uppy runs the plugin again when a failed upload is repeated. */
  readonly #made = new WeakSet<object>();

  /** @throws {ServiceError} `invalid_parameter` for an option that is not known or is wrong */
  constructor(uppy: Uppy<M, B>, options: StayputConverterOptions) {
    super(uppy, options);
    checkNames(options, OF_UPPY);
    checkOptions(options);
    this.id = options.id ?? "StayputConverter";
    this.type = "modifier";
    this.defaultLocale = { strings: { converting: "Converting images…" } };
    this.i18nInit();
  }

  override install(): void {
    this.uppy.addPreProcessor(this.#convertAll);
  }

  /** @throws {ServiceError} `invalid_parameter`, and no option changes */
  override setOptions(options: Partial<StayputConverterOptions>): void {
    // With a new locale, Uppy gives every plugin Uppy's own options.
    checkNames(options, [...OF_UPPY, ...Object.keys(this.uppy.opts)]);
    checkOptions({ ...this.opts, ...options });
    super.setOptions(options);
  }

  override uninstall(): void {
    this.uppy.removePreProcessor(this.#convertAll);
  }

  readonly #convertAll = async (ids: string[]): Promise<void> => {
    const files = this.#existing(ids);
    const message = this.i18n("converting");
    for (const file of files) this.uppy.emit("preprocess-progress", file, { mode: "indeterminate", message });
    await Promise.all(files.map((file) => this.#convert(file)));
    // All at once: the status bar offers files that are not being processed for upload.
    for (const file of this.#existing(ids)) this.uppy.emit("preprocess-complete", file);
  };

  async #convert(file: UppyFile<M, B>): Promise<void> {
    if (file.isRemote || file.data === undefined || file.error || this.#made.has(file.data)) return;
    const { id, data, type } = file;
    const controller = new AbortController();
    const stop = (removed: UppyFile<M, B>) => {
      if (removed.id === id) controller.abort();
    };
    this.uppy.on("file-removed", stop);
    try {
      const options = uploadOptions(this.opts);
      const name = convertedName({ name: file.meta.name, type, size: data.size }, options);
      if (name === undefined) return;
      const made = await convertUpload(data, name, options, controller.signal);
      this.#made.add(made);
      this.#replace(id, made);
    } catch (error) {
      if (controller.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      // Not the error itself: Uppy would append its `details`, which are an object, to the message.
      this.uppy.emit("upload-error", this.uppy.getFile(id), new Error(message, { cause: error }));
    } finally {
      this.uppy.off("file-removed", stop);
    }
  }

  #replace(id: string, data: File): void {
    const { to } = this.opts;
    const { type, size } = data;
    const { name, meta } = this.uppy.getFile(id);
    const path = meta.relativePath && { relativePath: uploadName(meta.relativePath, data, to) };
    const newName = uploadName(name, data, to);
    this.uppy.setFileState(id, {
      data,
      name: newName,
      extension: newName.slice(newName.lastIndexOf(".") + 1),
      type,
      size,
      meta: { ...meta, ...path, name: data.name, type },
    });
  }

  #existing(ids: readonly string[]): UppyFile<M, B>[] {
    // Uppy's types leave out that a removed file is undefined.
    return ids.map((id) => this.uppy.getFile(id)).filter((file) => file !== undefined);
  }
}
