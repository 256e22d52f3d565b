// Calls the decoder of MozJPEG for mozjpeg-decoder.ts. scripts/link-codecs.mjs compiles this file.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include <jerror.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static struct jpeg_error_mgr errors;
static struct jpeg_decompress_struct jpeg;
static int is_short;

// libjpeg expects that this does not return. It ends the instance, so neither longjmp nor exceptions are needed.
static void error_exit(j_common_ptr common) { __builtin_trap(); }

static void emit_message(j_common_ptr common, int level) {
  if (level < 0 && errors.msg_code == JWRN_HIT_MARKER) is_short = 1;
}

static void reset_error_mgr(j_common_ptr common) {}

// Decodes to pixels in the color space, at so many eighths of the size. Returns NULL if memory is short, and traps if libjpeg fails.
uint8_t* EXPORT(decode)(const uint8_t* data, size_t size, J_COLOR_SPACE colors, unsigned eighths) {
  // Not jpeg_std_error, which refers to functions of files and of the process. So the module imports nothing but its memory.
  errors.error_exit = error_exit;
  errors.emit_message = emit_message;
  errors.reset_error_mgr = reset_error_mgr;
  jpeg.err = &errors;
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, data, size);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = colors;
  jpeg.scale_num = eighths;
  jpeg.scale_denom = 8;
  jpeg_start_decompress(&jpeg);
  size_t row_bytes = (size_t)jpeg.output_width * jpeg.output_components;
  // It fails if the product overflows.
  uint8_t* samples = calloc(jpeg.output_height, row_bytes);
  if (samples == NULL) return NULL;
  while (jpeg.output_scanline < jpeg.output_height) {
    uint8_t* row = samples + jpeg.output_scanline * row_bytes;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return samples;
}

int EXPORT(width)(void) { return jpeg.output_width; }
int EXPORT(height)(void) { return jpeg.output_height; }
int EXPORT(components)(void) { return jpeg.output_components; }
// Whether coded data was missing. Other warnings may come first, as of bytes between segments.
int EXPORT(lacks_data)(void) { return is_short; }
int EXPORT(lacks_memory)(void) { return errors.msg_code == JERR_OUT_OF_MEMORY; }
int EXPORT(version)(void) { return LIBJPEG_TURBO_VERSION_NUMBER; }

// What is not linked: 12 and 16 bits, lossless and arithmetic coding, which browsers do not decode either. A file with them traps.
#define WITHOUT(name) void name(j_decompress_ptr file) { __builtin_trap(); }
#define WITHOUT_BUFFER(name) void name(j_decompress_ptr file, boolean needs_full_buffer) { __builtin_trap(); }
WITHOUT(jinit_arith_decoder)
WITHOUT(jinit_lhuff_decoder)
WITHOUT(jinit_lossless_decompressor)
WITHOUT_BUFFER(jinit_d_diff_controller)
WITHOUT(j12init_color_deconverter)
WITHOUT_BUFFER(j12init_d_coef_controller)
WITHOUT_BUFFER(j12init_d_diff_controller)
WITHOUT_BUFFER(j12init_d_main_controller)
WITHOUT_BUFFER(j12init_d_post_controller)
WITHOUT(j12init_inverse_dct)
WITHOUT(j12init_lossless_decompressor)
WITHOUT(j12init_merged_upsampler)
WITHOUT(j12init_upsampler)
WITHOUT(j16init_color_deconverter)
WITHOUT_BUFFER(j16init_d_diff_controller)
WITHOUT_BUFFER(j16init_d_main_controller)
WITHOUT_BUFFER(j16init_d_post_controller)
WITHOUT(j16init_lossless_decompressor)
WITHOUT(j16init_upsampler)
// Nor palettes, nor upsampling that is less exact, which `decode` does not use.
WITHOUT(jinit_1pass_quantizer)
WITHOUT(jinit_2pass_quantizer)
WITHOUT(j12init_1pass_quantizer)
WITHOUT(j12init_2pass_quantizer)
WITHOUT(jinit_merged_upsampler)
