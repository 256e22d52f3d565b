// Calls the encoder of libwebp for webp-encoder.ts. scripts/link-codecs.mjs compiles this file.
#include <webp/encode.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static WebPMemoryWriter file;

// Encodes RGBA that is not premultiplied. Returns a WebPEncodingError: 0 for success. `lossless` keeps every value, even
// under full transparency; quality and method are then a matter of time and size.
int EXPORT(encode)(const uint8_t* rgba, int width, int height, float quality, int lossless) {
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return VP8_ENC_ERROR_INVALID_CONFIGURATION;
  config.quality = lossless ? 40 : quality;
  if (lossless) config.method = 3;
  config.lossless = config.exact = picture.use_argb = lossless;
  picture.width = width;
  picture.height = height;
  WebPMemoryWriterInit(&file);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &file;
  if (WebPPictureImportRGBA(&picture, rgba, 4 * width)) WebPEncode(&config, &picture);
  return picture.error_code;
}

const uint8_t* EXPORT(bytes)(void) { return file.mem; }
size_t EXPORT(length)(void) { return file.size; }
int EXPORT(version)(void) { return WebPGetEncoderVersion(); }
