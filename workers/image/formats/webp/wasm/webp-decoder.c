// Calls the decoder of libwebp for webp-decoder.ts. scripts/link-codecs.mjs compiles this file.
#include <webp/decode.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static WebPDecoderConfig config;

// Decodes to RGBA, not premultiplied. Returns a VP8StatusCode: 0 for success.
int EXPORT(decode)(const uint8_t* data, size_t size) {
  if (!WebPInitDecoderConfig(&config)) return VP8_STATUS_INVALID_PARAM;
  config.output.colorspace = MODE_RGBA;
  return WebPDecode(data, size, &config);
}

const uint8_t* EXPORT(pixels)(void) { return config.output.u.RGBA.rgba; }
int EXPORT(width)(void) { return config.output.width; }
int EXPORT(height)(void) { return config.output.height; }
int EXPORT(version)(void) { return WebPGetDecoderVersion(); }
