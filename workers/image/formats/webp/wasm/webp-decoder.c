// Calls the decoder of libwebp for webp-decoder.ts. scripts/link-codecs.mjs compiles this file.
#include <stdlib.h>
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

// Stretches values from the range of video to that of JPEG: `zero` stays at `origin`, `steps` steps become 255.
static void stretch(uint8_t* values, size_t count, int zero, int origin, double steps) {
  uint8_t table[256];
  for (int value = 0; value < 256; value++) {
    const double full = origin + 255 / steps * (value - zero);
    table[value] = full < 0 ? 0 : full > 255 ? 255 : full + 0.5;
  }
  for (size_t at = 0; at < count; at++) values[at] = table[values[at]];
}

// Decodes to luma, Cb and Cr in the range of JPEG, one after the other. Returns a VP8StatusCode.
int EXPORT(decodePlanes)(const uint8_t* data, size_t size) {
  if (!WebPInitDecoderConfig(&config)) return VP8_STATUS_INVALID_PARAM;
  const int status = WebPGetFeatures(data, size, &config.input);
  if (status != VP8_STATUS_OK) return status;
  const size_t width = config.input.width, height = config.input.height;
  const size_t across = (width + 1) / 2, luma = width * height, chroma = across * ((height + 1) / 2);
  uint8_t* values = malloc(luma + 2 * chroma);
  if (values == NULL) return VP8_STATUS_OUT_OF_MEMORY;
  config.output.colorspace = MODE_YUV;
  config.output.is_external_memory = 1;
  config.output.u.YUVA = (WebPYUVABuffer){
    .y = values, .y_stride = width, .y_size = luma,
    .u = values + luma, .u_stride = across, .u_size = chroma,
    .v = values + luma + chroma, .v_stride = across, .v_size = chroma,
  };
  const int decoded = WebPDecode(data, size, &config);
  if (decoded != VP8_STATUS_OK) return decoded;
  // BT.601: RFC 6386, 9.2, and JFIF 1.02.
  stretch(values, luma, 16, 0, 219);
  stretch(values + luma, 2 * chroma, 128, 128, 224);
  return VP8_STATUS_OK;
}

const uint8_t* EXPORT(planes)(void) { return config.output.u.YUVA.y; }
int EXPORT(width)(void) { return config.output.width; }
int EXPORT(height)(void) { return config.output.height; }
int EXPORT(version)(void) { return WebPGetDecoderVersion(); }
